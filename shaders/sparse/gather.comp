#version 460
// A field as an array of the whole domain.

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kWords = 1u; // of a cell

#include "invocation.glsl"
#include "sparse/map.glsl"

readonly buffer Field { uint words[]; } field;
writeonly buffer Result { uint words[]; } result;

void main() {
    uint i = invocation_index();
    uint row = i / uint(kDomainX);
    ivec3 cell = ivec3(i % uint(kDomainX), row % uint(kDomainY), row / uint(kDomainY));
    if (cell.z >= kDomainZ) return;
    uint at = find_cell(cell);
    for (uint k = 0u; k < kWords; ++k)
        result.words[kWords * i + k] = at == kNoBrick ? 0u : field.words[kWords * at + k];
}

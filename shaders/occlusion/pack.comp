#version 460
// Opacities of a volume in whole numbers of 16 bits, a block of packed.glsl each invocation.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "opacities.glsl"
#include "packed.glsl"

uniform Params {
    ivec3 dims;
    int blocks; // of a row
} params;

uniform sampler3D opacity;
writeonly buffer Result { uvec4 values[]; } result;

uint units_at(ivec3 texel) {
    return uint(opacity_at(opacity, params.dims, texel) * kOne + 0.5);
}

void main() {
    uint index = invocation_index();
    uint blocks = uint(params.blocks);
    uint row = index / blocks;
    ivec3 first = ivec3(index % blocks * kBlock, row % uint(params.dims.y),
                        row / uint(params.dims.y));
    if (first.z >= params.dims.z) return;
    uvec4 words;
    for (int k = 0; k < 4; ++k) {
        ivec3 texel = first + ivec3(2 * k, 0, 0);
        words[k] = units_at(texel) | units_at(texel + ivec3(1, 0, 0)) << 16u;
    }
    result.values[index] = words;
}

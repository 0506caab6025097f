#version 460
// One pass of the scan of Hillis and Steele: after the passes with the strides 1, 2, 4, ... each
// element holds the sum of all up to itself.

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
    uint stride;
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Source { uint words[]; } source;
writeonly buffer Sums { uint words[]; } sums;

// 1: as the chapter prints it, the element whose index equals the stride misses the first one
layout(constant_id = 8) const uint strict = 0u;

void main() {
    uint i = invocation_index();
    if (i >= element_count(params.most)) return;
    bool reaches = strict != 0u ? i > params.stride : i >= params.stride;
    sums.words[i] = source.words[i] + (reaches ? source.words[i - params.stride] : 0u);
}

#version 460
// Adds the words of a buffer to a digest, each by its place.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "digest.glsl"

const uint kWordsEach = 16u; // as in passes/raytrace/digest.cpp

readonly buffer Words { uint values[]; } words;

uniform Params {
    uint count;
    uint part; // of the digest: its number
} params;

void main() {
    uint first = group_index() * gl_WorkGroupSize.x * kWordsEach + gl_LocalInvocationIndex;
    uvec2 own = uvec2(0u);
    for (uint i = 0u; i < kWordsEach; ++i) {
        uint at = first + i * gl_WorkGroupSize.x;
        if (at < params.count) own += pcg3d(uvec3(words.values[at], at, params.part)).xy;
    }
    add_to_digest(own);
}

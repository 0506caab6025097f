#version 460
//! vertex voxel/triangle
// Flips all voxels of a column whose middles lie behind a triangle, seen along z.

uniform Params {
    uvec3 dims;
    uint vertices;
} params;

#include "voxel/grid.glsl"

layout(location = 0) noperspective in float depth;
layout(location = 1) flat in ivec2 depth_range;

buffer Words { uint values[]; } words;

void main() {
    uvec2 at = uvec2(gl_FragCoord.xy);
    if (any(greaterThanEqual(at, params.dims.xy))) return;
    float within = clamp(depth, float(depth_range.x), float(depth_range.y) + 1.0);
    int first = clamp(int(floor(within - 0.5)) + 1, 0, int(params.dims.z));
    if (first == int(params.dims.z)) return;
    uint row = row_of(params.dims, at.x, at.y);
    uint last_word = params.dims.z - 1u >> 5u;
    for (uint word = uint(first) >> 5u; word <= last_word; ++word) {
        uint from = word == uint(first) >> 5u ? uint(first) & 31u : 0u;
        uint to = word == last_word ? params.dims.z - 1u & 31u : 31u;
        atomicXor(words.values[row + word], bits_between(from, to));
    }
}

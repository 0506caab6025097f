#version 460
//! vertex voxel/triangle
// Sets the voxel in which a triangle passes the middle of a column.

uniform Params {
    uvec3 dims;
    uint vertices;
} params;

#include "voxel/grid.glsl"
#include "raster_axes.glsl"

layout(location = 0) noperspective in float depth;
layout(location = 1) flat in ivec2 depth_range;

buffer Words { uint values[]; } words;

void main() {
    // Rounding must not take the voxel out of the triangle's bounding box, nor out of the grid,
    // where the bit would be that of another column.
    int away = clamp(int(floor(depth)), depth_range.x, depth_range.y);
    ivec3 size = to_view(ivec3(params.dims));
    ivec3 at = ivec3(ivec2(gl_FragCoord.xy), away);
    if (any(lessThan(at, ivec3(0))) || any(greaterThanEqual(at, size))) return;
    uvec3 voxel = from_view(uvec3(at));
    uint word = row_of(params.dims, voxel.x, voxel.y) + (voxel.z >> 5u);
    atomicOr(words.values[word], 1u << (voxel.z & 31u));
}

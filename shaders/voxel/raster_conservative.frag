#version 460
// Sets the voxels of a column that a triangle meets. The rasterizer has only found columns that it
// may touch: they are tested in whole numbers, as the kernels do.

uniform Params {
    uvec3 dims;
    uint vertices;
} params;

#include "voxel/grid.glsl"
// The corners of a triangle in 1/256 voxel.

struct Corners {
    ivec3 a;
    ivec3 b;
    ivec3 c;
};
#include "raster_axes.glsl"
#include "turned.glsl"

layout(location = 0) flat in ivec3 corner_a;
layout(location = 1) flat in ivec3 corner_b;
layout(location = 2) flat in ivec3 corner_c;

buffer Words { uint values[]; } words;

void set_voxel(uvec3 voxel) {
    uint word = row_of(params.dims, voxel.x, voxel.y) + (voxel.z >> 5u);
    atomicOr(words.values[word], 1u << (voxel.z & 31u));
}

void main() {
    Corners corners = Corners(corner_a, corner_b, corner_c);
    Box box = clipped(bounds_of(corners), params.dims);
    if (is_empty(box)) return;
    ivec3 origin = 256 * box.low;
    turn = turn_to(int(kAxis));
    Box along = Box(turned(box.low), turned(box.high));
    ivec2 at = ivec2(gl_FragCoord.xy);
    if (kAxis == 1u) at = at.yx; // turns keep the orientation, views do not
    ivec2 b = at - along.low.xy;
    if (any(lessThan(b, ivec2(0))) || any(greaterThan(at, along.high.xy))) return;
    Overlap o = overlap_of(relative(corners, origin));
    bool single;
    ivec2 met = met_by_plane(o, along, b, single);
    for (int z = met.x; z <= met.y; ++z)
        if (is_met(o, ivec3(b, z))) set_voxel(uvec3(turned_back(ivec3(b, z) + along.low)));
}

// Voxels of a truncated signed distance function: two halves (distance in truncations, weight) and a colour
// (RGBA8). Positive distances are in front of surfaces; a weight of 0: nobody has looked. A kernel that includes
// this is compiled for each kind of volume: BRICKS=0 an array, x fastest; BRICKS=1 bricks of a sparse store, where
// voxels without memory are such that nobody has looked at.
#ifndef MAPPING_TSDF
#define MAPPING_TSDF

#if BRICKS
#include "sparse/map.glsl"
#endif

readonly buffer Volume { uvec2 voxels[]; } volume;

uvec2 voxel_at(uvec3 dims, uvec3 at) {
#if BRICKS
    uint index = find_cell(ivec3(at));
    return index == kNoBrick ? uvec2(0u) : volume.voxels[index];
#else
    return volume.voxels[(at.z * dims.y + at.y) * dims.x + at.x];
#endif
}

#endif

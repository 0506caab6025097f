// Voxels of a truncated signed distance function: two halves (distance in truncations, weight) and a colour
// (RGBA8). Positive distances are in front of surfaces; a weight of 0: nobody has looked.
#ifndef MAPPING_TSDF
#define MAPPING_TSDF

uint voxel_index(uvec3 dims, uvec3 at) {
    return (at.z * dims.y + at.y) * dims.x + at.x;
}

#endif

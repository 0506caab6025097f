#version 460
// What comes through spherical shells, each one voxel thick, around each voxel.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

layout(constant_id = 0) const uint kOwn = 0u; // 1: the voxel itself counts

uniform Params {
    ivec3 dims;
    uint shells;
} params;

uniform sampler3D opacity;
// For each shell the index behind its last voxel, then the voxels: six bits for each of x, y and z
// from the middle, and 32 more.
readonly buffer Voxels { uint values[]; } voxels;
writeonly uniform image3D result;

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(voxel, params.dims))) return;
    float open = kOwn != 0u ? 1.0 - opacity_at(opacity, params.dims, voxel) : 1.0;
    uint i = params.shells;
    for (uint shell = 0u; shell < params.shells && open > 0.0; ++shell) {
        uint begin = i;
        uint end = voxels.values[shell];
        float sum = 0.0;
        for (; i < end; ++i) {
            uint word = voxels.values[i];
            ivec3 beside = ivec3(word & 63u, word >> 6u & 63u, word >> 12u) - 32;
            sum += opacity_at(opacity, params.dims, voxel + beside);
        }
        open *= 1.0 - sum / float(end - begin);
    }
    imageStore(result, voxel, vec4(max(open, 0.0)));
}

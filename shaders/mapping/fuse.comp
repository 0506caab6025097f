#version 460
// Brings a frame into a dense TSDF.
#include "observed.glsl"

layout(local_size_x = 32, local_size_y = 4, local_size_z = 1) in;

readonly buffer Before { uvec2 voxels[]; } before;
writeonly buffer Result { uvec2 voxels[]; } result;

void main() {
    uvec3 at = gl_GlobalInvocationID;
    if (any(greaterThanEqual(at, params.dims))) return;
    uint index = (at.z * params.dims.y + at.y) * params.dims.x + at.x;
    result.voxels[index] = after_frame(before.voxels[index], at);
}

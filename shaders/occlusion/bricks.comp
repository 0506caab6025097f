#version 460
// Whether anything is in a brick of eight by eight by eight voxels.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

uniform Params {
    ivec3 dims;
} params;

uniform sampler3D opacity;
writeonly uniform image3D result;

shared uint found;

void main() {
    if (gl_LocalInvocationIndex == 0u) found = 0u;
    barrier();
    ivec3 voxel = 8 * ivec3(gl_WorkGroupID) + ivec3(gl_LocalInvocationID);
    if (opacity_at(opacity, params.dims, voxel) > 0.0 ||
        opacity_at(opacity, params.dims, voxel + ivec3(0, 0, 4)) > 0.0)
        atomicOr(found, 1u);
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        imageStore(result, ivec3(gl_WorkGroupID), vec4(float(found)));
}

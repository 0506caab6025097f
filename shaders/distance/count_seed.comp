#version 460
// Counts the objects of a seed.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#else
layout(local_size_x = 16, local_size_y = 16) in;
#endif

#include "status.glsl"

#if VOLUME
uniform usampler3D seed;
#else
uniform usampler2D seed;
#endif

shared uint group_objects;
shared uint group_background;

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        group_objects = 0u;
        group_background = 0u;
    }
    barrier();
#if VOLUME
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#else
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (all(lessThan(texel, textureSize(seed, 0)))) {
        if (texelFetch(seed, texel, 0).r != 0u) atomicAdd(group_objects, 1u);
        else atomicAdd(group_background, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    if (group_objects != 0u) atomicAdd(status.objects, group_objects);
    if (group_background != 0u) atomicAdd(status.background, group_background);
}

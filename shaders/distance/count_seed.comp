#version 460
// Counts the objects of a seed.

layout(local_size_x = 16, local_size_y = 16) in;

#include "status.glsl"

uniform usampler2D seed;

shared uint group_objects;
shared uint group_background;

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        group_objects = 0u;
        group_background = 0u;
    }
    barrier();
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(texel, textureSize(seed, 0)))) {
        if (texelFetch(seed, texel, 0).r != 0u) atomicAdd(group_objects, 1u);
        else atomicAdd(group_background, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    if (group_objects != 0u) atomicAdd(status.objects, group_objects);
    if (group_background != 0u) atomicAdd(status.background, group_background);
}

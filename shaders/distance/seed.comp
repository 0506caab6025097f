#version 460
// Which texels of a picture are objects, and how many.

layout(local_size_x = 16, local_size_y = 16) in;

#include "status.glsl"

uniform sampler2D source;
uniform writeonly uimage2D result;

uniform Params {
    float threshold;
    uint invert; // 1: objects are background
} params;

shared uint group_objects;
shared uint group_background;
shared uint group_not_finite;

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        group_objects = 0u;
        group_background = 0u;
        group_not_finite = 0u;
    }
    barrier();

    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(texel, imageSize(result)))) {
        float value = texelFetch(source, texel, 0).r;
        // By the bits: compilers may take comparisons of what is not a number for anything.
        uint bits = floatBitsToUint(value) & 0x7fffffffu;
        bool is_number = bits <= 0x7f800000u;
        bool object = is_number && ((value > params.threshold) != (params.invert != 0u));
        if (bits >= 0x7f800000u) atomicAdd(group_not_finite, 1u);
        if (object) atomicAdd(group_objects, 1u);
        else atomicAdd(group_background, 1u);
        imageStore(result, texel, uvec4(object ? 1u : 0u));
    }
    barrier();

    if (gl_LocalInvocationIndex != 0u) return;
    if (group_objects != 0u) atomicAdd(status.objects, group_objects);
    if (group_background != 0u) atomicAdd(status.background, group_background);
    if (group_not_finite != 0u) atomicAdd(status.not_finite, group_not_finite);
}

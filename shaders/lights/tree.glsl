// What the kernels that order lights along a curve share.
#ifndef LIGHTS_TREE
#define LIGHTS_TREE

#include "light.glsl"

// Numbers in the order of floats; 0 is below all.
uvec3 ordered(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return mix(bits | 0x80000000u, ~bits, notEqual(bits & 0x80000000u, uvec3(0u)));
}

vec3 from_ordered(uvec3 v) {
    return uintBitsToFloat(mix(~v, v & 0x7fffffffu, notEqual(v & 0x80000000u, uvec3(0u))));
}

bool is_infinite_range(float range) {
    return (floatBitsToUint(range) & 0x7fffffffu) == 0x7f800000u;
}

#endif

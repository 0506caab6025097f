// The box of the centroids of all triangles, in a form that atomics can make.
#ifndef BVH_ORDERED
#define BVH_ORDERED

// Floats as numbers of the same order, from 1 to 2^32 - 2 where they are finite: 0 is less than all.
uvec3 ordered(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return mix(bits | 0x80000000u, ~bits, notEqual(bits & 0x80000000u, uvec3(0u)));
}
vec3 from_ordered(uvec3 v) {
    return uintBitsToFloat(mix(v & 0x7fffffffu, ~v, equal(v & 0x80000000u, uvec3(0u))));
}

// Words of the box, each made by atomicMax on zero: the complement of the low corner's, and the
// high corner's.
const uint kBoxLow = 0u;
const uint kBoxHigh = 3u;

#endif

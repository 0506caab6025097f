// What reductions and scans combine elements by. In C++, `specialize(node, Combine)` sets it.
//
// Elements are encoded to words on which only three operations are left: sums of words (modulo
// 2^32, the same for signed and unsigned), sums of floats, and the smaller of two words. Signed
// and float elements are compared by their ordered keys, and a maximum is a minimum of complements.
// So -0 is less than +0, results do not depend on the order of combination, and NaN, which becomes
// the identity, is ignored.
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "primitives/elements.glsl"

layout(constant_id = 2) const uint combine_by = 0u;

const uint kSum = 0u;
const uint kMin = 1u;
const uint kMax = 2u;

const bool sums_floats = combine_by == kSum && element_type == kFloat;
const bool sums_words = combine_by == kSum && element_type != kFloat;

// Combining with it changes nothing.
uint identity() {
    return combine_by == kSum ? 0u : 0xffffffffu; // 0.0 has the bits of 0
}

uint encode(uint bits) {
    if (combine_by == kSum) return bits;
    if (element_type == kFloat && is_nan(bits)) return identity();
    uint key = ordered_key(bits);
    return combine_by == kMax ? ~key : key;
}

// The identity becomes the greatest or least value of the type: infinities for floats.
uint decode(uint word) {
    if (combine_by == kSum) return word;
    if (element_type == kFloat && word == identity())
        return combine_by == kMax ? 0xff800000u : 0x7f800000u;
    return from_ordered_key(combine_by == kMax ? ~word : word);
}

uint combine(uint a, uint b) {
    if (sums_words) return a + b;
    if (sums_floats) return floatBitsToUint(uintBitsToFloat(a) + uintBitsToFloat(b));
    return min(a, b);
}

uint subgroup_combine(uint word) {
    if (sums_words) return subgroupAdd(word);
    if (sums_floats) return floatBitsToUint(subgroupAdd(uintBitsToFloat(word)));
    return subgroupMin(word);
}

uint subgroup_exclusive(uint word) {
    if (sums_words) return subgroupExclusiveAdd(word);
    if (sums_floats) return floatBitsToUint(subgroupExclusiveAdd(uintBitsToFloat(word)));
    return subgroupExclusiveMin(word);
}

uint combine_quad(uvec4 quad) {
    return combine(combine(quad.x, quad.y), combine(quad.z, quad.w));
}

// The quad that begins at element `first`, with the identity from element `end` on.
uvec4 encode_quad(uvec4 quad, uint first, uint end) {
    uvec4 encoded;
    for (uint i = 0u; i < 4u; ++i)
        encoded[i] = first + i < end ? encode(quad[i]) : identity();
    return encoded;
}

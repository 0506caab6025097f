// What reductions and scans combine elements by. In C++, `specialize(node, Combine)` sets it.
//
// Elements are encoded to words on which only three operations are left: sums of words (modulo
// 2^32, the same for signed and unsigned), sums of floats, and the smaller of two words. Signed
// and float elements are compared by their ordered keys, and a maximum is a minimum of complements.
// So -0 is less than +0, results do not depend on the order of combination, and NaN, which becomes
// the identity, is ignored.
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "elements.glsl"

layout(constant_id = 2) const uint combine_by = 0u;

const uint kSum = 0u;
const uint kMin = 1u;
const uint kMax = 2u;

const bool sums_floats = combine_by == kSum && element_type == kFloat;
const bool sums_words = combine_by == kSum && element_type != kFloat;

// Combining with it changes nothing: 0 (also the bits of 0.0), or the greatest word.
const uint kIdentity = combine_by == kSum ? 0u : 0xffffffffu;
const uint kComplement = combine_by == kMax ? 0xffffffffu : 0u;

uint identity() {
    return kIdentity;
}

uint encode(uint bits) {
    uint key = ordered_key(bits) ^ kComplement;
    bool skipped = element_type == kFloat && is_nan(bits);
    return mix(mix(key, kIdentity, skipped), bits, combine_by == kSum);
}

// The identity becomes the greatest or least value of the type: infinities for floats.
uint decode(uint word) {
    uint bits = from_ordered_key(word ^ kComplement);
    bool nothing = element_type == kFloat && word == kIdentity;
    uint infinity = combine_by == kMax ? 0xff800000u : 0x7f800000u;
    return mix(mix(bits, infinity, nothing), word, combine_by == kSum);
}

uint combine(uint a, uint b) {
    uint float_sum = floatBitsToUint(uintBitsToFloat(a) + uintBitsToFloat(b));
    return mix(mix(min(a, b), float_sum, sums_floats), a + b, sums_words);
}

uint subgroup_combine(uint word) {
    uint all;
    if (sums_words) all = subgroupAdd(word);
    else if (sums_floats) all = floatBitsToUint(subgroupAdd(uintBitsToFloat(word)));
    else all = subgroupMin(word);
    return all;
}

uint subgroup_exclusive(uint word) {
    uint before;
    if (sums_words) before = subgroupExclusiveAdd(word);
    else if (sums_floats) before = floatBitsToUint(subgroupExclusiveAdd(uintBitsToFloat(word)));
    else before = subgroupExclusiveMin(word);
    return before;
}

uint combine_quad(uvec4 quad) {
    return combine(combine(quad.x, quad.y), combine(quad.z, quad.w));
}

// The quad that begins at element `first`, with the identity from element `end` on.
uvec4 encode_quad(uvec4 quad, uint first, uint end) {
    uvec4 encoded;
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
        encoded[i] = mix(identity(), encode(quad[i]), first + i < end);
    return encoded;
}

// What the two kernels of primitives/reduce share. An accumulator is an encoded word, or, to find
// where an extreme is, such a word and its index; ties go to the lower index.
// A kernel made for an expression has in place of primitives/expression.glsl a definition of
// EXPRESSION and of
//     uint expression(uint x_bits, uint y_bits, vec4 p)
// which combines two elements.
#include "expression.glsl"
#include "operators.glsl"
#include "tile.glsl"

// 0: the value; 1: its index; 2: the mean, summed up as floats; 3: a product
layout(constant_id = 8) const uint reduction = 0u;
// The type of the source where it is converted to float first (the mean).
layout(constant_id = 9) const uint source_type = 0u;

const uint kValue = 0u;
const uint kIndex = 1u;
const uint kMean = 2u;
const uint kProduct = 3u;
const uint kNowhere = 0xffffffffu; // of the extreme of nothing

struct Accumulator {
    uint word;
    uint index;
};

#ifdef EXPRESSION
readonly buffer Identity { uint word; } own_identity;
#endif

Accumulator nothing() {
#ifdef EXPRESSION
    return Accumulator(own_identity.word, kNowhere);
#else
    uint one = mix(1u, floatBitsToUint(1.0), element_type == kFloat);
    return Accumulator(mix(identity(), one, reduction == kProduct), kNowhere);
#endif
}

uint product(uint a, uint b) {
    uint of_floats = floatBitsToUint(uintBitsToFloat(a) * uintBitsToFloat(b));
    return mix(a * b, of_floats, element_type == kFloat);
}

// `p`: of the expression.
Accumulator joined(Accumulator a, Accumulator b, vec4 p) {
#ifdef EXPRESSION
    return Accumulator(expression(a.word, b.word, p), kNowhere);
#else
    bool second = b.word < a.word || (b.word == a.word && b.index < a.index);
    uint word = mix(combine(a.word, b.word), min(a.word, b.word), reduction == kIndex);
    word = mix(word, product(a.word, b.word), reduction == kProduct);
    uint index = mix(a.index, b.index, second);
    return Accumulator(word, mix(kNowhere, index, reduction == kIndex));
#endif
}

Accumulator of_element(uint bits, uint index) {
    float number = mix(float(int(bits)), float(bits), source_type == kUint);
    bool converts = reduction == kMean && source_type != kFloat;
    bits = mix(bits, floatBitsToUint(number), converts);
    // A NaN is nowhere, so that it loses even against a number whose code is the identity.
    bool skipped = reduction == kIndex && element_type == kFloat && is_nan(bits);
    return Accumulator(encode(bits), mix(index, kNowhere, skipped));
}

shared uint group_words[kGroup];
shared uint group_indices[kGroup];

// All accumulators of the group, joined in a tree that is the same on every device; in invocation
// 0. Invocations are numbered by gl_LocalInvocationIndex.
Accumulator join_group(Accumulator own, vec4 p) {
    uint me = gl_LocalInvocationIndex;
    group_words[me] = own.word;
    if (reduction == kIndex) group_indices[me] = own.index;
    for (uint other = kGroup / 2u; other > 0u; other /= 2u) {
        barrier();
        if (me < other) {
            uint index = reduction == kIndex ? group_indices[me + other] : kNowhere;
            own = joined(own, Accumulator(group_words[me + other], index), p);
            group_words[me] = own.word;
            if (reduction == kIndex) group_indices[me] = own.index;
        }
    }
    return own;
}

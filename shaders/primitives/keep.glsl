// Which elements a compaction keeps. Before the include, declare the buffer `source` of words, and
// `params` with `vec4 p`. A kernel made for an expression has in place of the file that is included
// here a definition of EXPRESSION and of
//     bool expression(uint bits, uint i, uint n, vec4 p)
// for an element, its index, the number of elements and the parameters.
#include "expression.glsl"

#ifndef EXPRESSION
// 0: where the flag is not zero; 1: where an element differs from the one before it
layout(constant_id = 8) const uint keep_rule = 0u;

const uint kFlagged = 0u;
const uint kChanged = 1u;

readonly buffer Flags { uint words[]; } flags;
#endif

// Whether element `at` is one of the `end` that exist, and is kept.
bool keeps(uint at, uint word, uint end) {
#ifdef EXPRESSION
    return at < end && expression(word, at, end, params.p);
#else
    if (keep_rule == kFlagged) return at < end && flags.words[word_within(at, end)] != 0u;
    uint before = source.words[word_within(max(at, 1u) - 1u, end)];
    return at < end && (at == 0u || word != before);
#endif
}

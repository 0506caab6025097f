// Which elements a compaction keeps. A kernel made for an expression has in place of
// primitives/expression.glsl a definition of EXPRESSION and of
//     bool expression(uint bits, uint i, uint n, vec4 p)
// for an element, its index, the number of elements and the parameters.
#ifndef PRIMITIVES_KEEP
#define PRIMITIVES_KEEP
#include "expression.glsl"
#include "length.glsl"

readonly buffer Source { uint words[]; } source;

#ifndef EXPRESSION
// 1: where the flag is not zero; 0: where an element differs from the one before it
layout(constant_id = 8) const uint has_flags = 0u;

readonly buffer Flags { uint words[]; } flags;
#endif

// Whether element `at` is one of the `end` that exist, and is kept; `p`: of the expression.
bool keeps(uint at, uint word, uint end, vec4 p) {
#ifdef EXPRESSION
    return at < end && expression(word, at, end, p);
#else
    if (has_flags != 0u) return at < end && flags.words[word_within(at, end)] != 0u;
    uint before = source.words[word_within(max(at, 1u) - 1u, end)];
    return at < end && (at == 0u || word != before);
#endif
}
#endif

// Which elements a compaction keeps. Before the include, declare the buffer `source` of quads, and
// `params` with `vec4 p`. A kernel made for an expression has in place of the file that is included
// here a definition of EXPRESSION and of
//     bool expression(uint bits, uint i, uint n, vec4 p)
// for an element, its index, the number of elements and the parameters.
#include "primitives/expression.glsl"

#ifndef EXPRESSION
// 0: where the flag is not zero; 1: where an element differs from the one before it
layout(constant_id = 8) const uint keep_rule = 0u;

const uint kFlagged = 0u;
const uint kChanged = 1u;

readonly buffer Flags { uvec4 quads[]; } flags;
#endif

// Bit i: element i of quad number `quad` is kept. `end` elements there are.
uint keep_mask(uint quad, uvec4 values, uint end) {
    uint mask = 0u;
#ifdef EXPRESSION
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
        mask |= expression(values[i], 4u * quad + i, end, params.p) ? 1u << i : 0u;
#else
    if (4u * quad < end) {
        uvec4 kept = keep_rule == kFlagged ? flags.quads[quad] : values;
        uint before = keep_rule == kChanged && quad > 0u ? source.quads[quad - 1u].w : ~values.x;
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            bool keeps = mix(values[i] != before, kept[i] != 0u, keep_rule == kFlagged);
            mask |= keeps ? 1u << i : 0u;
            before = values[i];
        }
    }
#endif
    return mask & (1u << min(end - min(4u * quad, end), 4u)) - 1u; // of those that exist
}

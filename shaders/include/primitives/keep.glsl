// Which elements a compaction keeps. Before the include, declare the buffers `source` and `flags`
// (both of quads) and `params` with `vec4 p`. Kernels that are made for an expression define
// KEEP_EXPRESSION and the function
//     bool keep_expression(uint bits, uint i, uint n, vec4 p)
// of an element, its index, the number of elements and the parameters.

// 0: where the flag is not zero; 1: where an element differs from the one before it
layout(constant_id = 8) const uint keep_rule = 0u;

const uint kFlagged = 0u;
const uint kChanged = 1u;

// Bit i: element i of quad number `quad` is kept. `end` elements there are.
uint keep_mask(uint quad, uvec4 values, uint end) {
    uint mask = 0u;
#ifdef KEEP_EXPRESSION
    for (uint i = 0u; i < 4u; ++i)
        if (4u * quad + i < end && keep_expression(values[i], 4u * quad + i, end, params.p))
            mask |= 1u << i;
#else
    if (4u * quad >= end) return 0u;
    if (keep_rule == kFlagged) {
        uvec4 kept = flags.quads[quad];
        for (uint i = 0u; i < 4u; ++i)
            if (4u * quad + i < end && kept[i] != 0u) mask |= 1u << i;
    } else {
        uint before = quad > 0u ? source.quads[quad - 1u].w : ~values.x;
        for (uint i = 0u; i < 4u; ++i) {
            if (4u * quad + i < end && values[i] != before) mask |= 1u << i;
            before = values[i];
        }
    }
#endif
    return mask;
}

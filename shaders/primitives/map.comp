#version 460
// Applies an expression to every element; made without one, it copies them. The expression is
//     uint expression(uint bits, uint other_bits, uint i, uint n, vec4 p)
// of the element, of that of `other` at the same place, their index, the number of elements and the
// parameters.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"
#include "tile.glsl"
#include "expression.glsl"

readonly buffer Source { uvec4 quads[]; } source;
#ifdef EXPRESSION
readonly buffer Other { uvec4 quads[]; } other;
#endif
writeonly buffer Result { uvec4 quads[]; } result;

void main() {
    uint end = element_count(params.most);
    uint first = group_index() * kQuads * kGroup + gl_LocalInvocationIndex;
    uvec4 values[kQuads];
#ifdef EXPRESSION
    uvec4 others[kQuads];
#endif
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = quad_within(first + row * kGroup, end);
        values[row] = source.quads[quad];
#ifdef EXPRESSION
        others[row] = other.quads[quad];
#endif
    }
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = first + row * kGroup;
        if (quad >= tiles_of(end, 4u)) return;
#ifdef EXPRESSION
        [[unroll]] for (uint i = 0u; i < 4u; ++i)
            values[row][i] = expression(values[row][i], others[row][i], 4u * quad + i, end, params.p);
#endif
        result.quads[quad] = values[row];
    }
}

#version 460
// The identity of an operator of the user's; made without one, zero. The expression is
//     uint expression(vec4 p)
// of the parameters.

layout(local_size_x = 1) in;

uniform Params {
    vec4 p;     // of the expression
    uint words; // to write: one
} params;
#include "expression.glsl"

writeonly buffer Result { uint word; } result;

void main() {
    if (gl_GlobalInvocationID.x >= params.words) return;
#ifdef EXPRESSION
    result.word = expression(params.p);
#else
    result.word = 0u;
#endif
}

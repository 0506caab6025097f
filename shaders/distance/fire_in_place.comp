#version 460
// One pass of a grassfire in a single buffer. Pass p writes only the value p, into texels without a
// distance that have a neighbour p - 1; what has a distance keeps it. So what other invocations
// write meanwhile is never taken for p - 1, and no second field is needed.

layout(local_size_x = 16, local_size_y = 16) in;

#include "done.glsl"
#include "grassfire.glsl"

buffer Field { uint values[]; } field; // row by row
buffer Done { uint words[]; } done;    // of this pass: 0 where a texel changes

uniform Params {
    ivec2 size;
    uint eight;
    uint border;
    uint unreached;
    uint pass;    // from 0: it writes pass + 1
    uint changes; // 0: it only looks
} params;

uint index_of(ivec2 texel) {
    return uint(texel.y) * uint(params.size.x) + uint(texel.x);
}

bool is_reached(ivec2 texel, Fire fire) {
    bool reached = false;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            if (!is_neighbour(x, y, fire)) continue;
            ivec2 at = texel + ivec2(x, y);
            uint value = has_texel(at, params.size, fire.border)
                             ? field.values[index_of(wrapped(at, params.size))]
                             : outside_value(fire.border, fire.unreached);
            reached = reached || value == params.pass;
        }
    return reached;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, params.size))) return;
    Fire fire = Fire(params.eight, params.border, params.unreached);
    if (field.values[index_of(texel)] != params.unreached || !is_reached(texel, fire)) return;
    uint word = done_word(params.pass);
    if (done.words[word] != 0u) atomicAnd(done.words[word], 0u);
    if (params.changes != 0u) field.values[index_of(texel)] = params.pass + 1u;
}

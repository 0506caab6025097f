#version 460
// One pass of a grassfire.

layout(local_size_x = 16, local_size_y = 16) in;

#include "done.glsl"
#include "grassfire.glsl"

uniform usampler2D before;
uniform writeonly uimage2D after;
// Of this pass: 0 where a texel changes; behind those of the passes: 0 where a distance was more
// than a texel holds.
buffer Done { uint words[]; } done;

uniform Params {
    uint eight;
    uint border;
    uint unreached;
    uint pass;    // from 0
    uint changes; // 0: it only looks
    uint passes;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(after)))) return;
    Fire fire = Fire(params.eight, params.border, params.unreached);
    uint own = texelFetch(before, texel, 0).r;
    uint least = own == params.unreached ? least_around(before, texel, fire) : 0u;
    uint value = burnt(own, least, fire);
    if (value != own) {
        uint word = done_word(params.pass);
        if (done.words[word] != 0u) atomicAnd(done.words[word], 0u);
        if (value == least && params.changes != 0u)
            atomicAnd(done.words[done_word(params.passes)], 0u);
    }
    imageStore(after, texel, uvec4(params.changes != 0u ? value : own));
}

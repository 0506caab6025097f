#version 460
// One pass of a grassfire that is drawn. Fragments that change nothing write what was there, so no
// copy is needed before; a word says that one changed. With QUERY they are discarded, and an
// occlusion query counts the others.
//! variants QUERY=0,1
//! vertex distance/whole_field

#include "done.glsl"
#include "grassfire.glsl"

uniform usampler2D before;
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

layout(location = 0) out uvec4 after;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    Fire fire = Fire(params.eight, params.border, params.unreached);
    uint own = texelFetch(before, texel, 0).r;
    uint least = own == params.unreached ? least_around(before, texel, fire) : 0u;
    uint value = burnt(own, least, fire);
    if (value != own) {
#if !QUERY
        uint word = done_word(params.pass);
        if (done.words[word] != 0u) atomicAnd(done.words[word], 0u);
#endif
        if (value == least && params.changes != 0u)
            atomicAnd(done.words[done_word(params.passes)], 0u);
    }
#if QUERY
    if (value == own) discard;
#endif
    after = uvec4(params.changes != 0u ? value : own);
}

#version 460
// One pass of an erosion that is drawn. Fragments that change nothing write what was there, so no
// copy is needed before; a word says that one changed. With QUERY they are discarded, and an
// occlusion query counts the others.
//! variants CHANNELS=1,2 QUERY=0,1
//! vertex distance/whole_field

#include "done.glsl"
#include "erosion.glsl"

uniform usampler2D before;
#if !QUERY
buffer Done { uint words[]; } done; // of this pass: 0 where a texel changes
#endif

uniform Params {
    ivec2 along;
    uint most;
    uint border;
    uint unreached;
    uint pass;    // from 0
    uint changes; // 0: it only looks
} params;

layout(location = 0) out uvec4 after;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    Erosion erosion = Erosion(params.along, 2u * params.pass + 1u, params.most, params.border,
                              params.unreached);
    uvec2 own = texelFetch(before, texel, 0).rg;
    uvec2 value = eroded_at(before, texel, own, erosion);
#if CHANNELS == 1
    bool changed = value.x != own.x;
#else
    bool changed = any(notEqual(value, own));
#endif
#if QUERY
    if (!changed) discard;
#else
    uint word = done_word(params.pass);
    if (changed && done.words[word] != 0u) atomicAnd(done.words[word], 0u);
#endif
    after = uvec4(params.changes != 0u ? value : own, 0u, 0u);
}

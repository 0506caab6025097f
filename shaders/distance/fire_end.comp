#version 460
// What a grassfire has left as a field; the status says how it ended.
//! variants FROM_BUFFER=0,1

layout(local_size_x = 16, local_size_y = 16) in;

#include "done.glsl"
#include "status.glsl"

#if FROM_BUFFER
readonly buffer Burnt { uint values[]; } burnt; // row by row
#else
uniform usampler2D burnt;
#endif
readonly buffer Passes { uint count; } passes;
// By pass; 1: it found nothing to do. Behind them 0 where a distance was more than a texel holds.
readonly buffer Done { uint words[]; } done;
uniform writeonly uimage2D field;

uniform Params {
    uint unreached;      // in `burnt`
    uint stored;         // the same in `field`, whose distances are less
    uint changing;       // passes that may change something; one more may only look
    uint note;           // word behind those of the passes
} params;

uint burnt_at(ivec2 texel) {
#if FROM_BUFFER
    return burnt.values[uint(texel.y) * uint(imageSize(field).x) + uint(texel.x)];
#else
    return texelFetch(burnt, texel, 0).r;
#endif
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    uint value = burnt_at(texel);
    bool reached = value != params.unreached;
    imageStore(field, texel, uvec4(reached ? min(value, params.stored - 1u) : params.stored));
    if (reached && value >= params.stored) atomicOr(status.codes, kFlattened);
    if (texel != ivec2(0)) return;
    status.passes = min(passes.count, params.changing);
    if (done.words[done_word(passes.count - 1u)] == 0u) atomicOr(status.codes, kUnfinished);
    if (done.words[done_word(params.note)] == 0u) atomicOr(status.codes, kFlattened);
}

#version 460
// How many samples there are before this execution: none where anything that the picture depends on
// has changed.

layout(local_size_x = 1) in;

#include "hash.glsl"

// `KeptSamples` of passes/raytrace/path_trace.cpp: the samples, and the key that they belong to.
readonly buffer Before {
    uint samples;
    uint key[2];
    uint unused;
} before;
writeonly buffer After {
    uint samples;
    uint key[2];
    uint unused;
} after;
writeonly buffer Frame { uint samples; } frame; // before this execution
readonly buffer Digest { uint words[2]; } digest; // of what buffers and images hold

uniform Params {
    uvec2 key; // of all parameters that the picture depends on
    uint samples;
    uint reset; // 1: starts again
} params;

void main() {
    uvec2 key = pcg3d(uvec3(params.key, digest.words[0])).xy + uvec2(0u, digest.words[1]);
    bool same = before.key[0] == key.x && before.key[1] == key.y;
    uint count = same && params.reset == 0u ? before.samples : 0u;
    // Numbers of samples repeat after 2^31; the mean has long been as good as floats can tell.
    if (count > 0x7fffffffu) count = 0x7fffffffu;
    after.samples = count + params.samples;
    after.key[0] = key.x;
    after.key[1] = key.y;
    after.unused = 0u;
    frame.samples = count;
}

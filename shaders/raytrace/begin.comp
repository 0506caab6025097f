#version 460
// How many samples there are before this execution: none where anything that the picture depends on
// has changed.

layout(local_size_x = 1) in;

readonly buffer Before { uint words[4]; } before; // samples, the key they belong to
writeonly buffer After { uint words[4]; } after;
writeonly buffer Frame { uint words[4]; } frame; // samples before this execution

uniform Params {
    uvec2 key; // of all that the picture depends on
    uint samples;
    uint reset; // 1: begins anew
} params;

void main() {
    bool same = before.words[1] == params.key.x && before.words[2] == params.key.y;
    uint count = same && params.reset == 0u ? before.words[0] : 0u;
    // Numbers of samples repeat after 2^31; the mean has long been as good as floats can tell.
    if (count > 0x7fffffffu) count = 0x7fffffffu;
    after.words[0] = count + params.samples;
    after.words[1] = params.key.x;
    after.words[2] = params.key.y;
    after.words[3] = 0u;
    for (uint i = 0u; i < 4u; ++i)
        frame.words[i] = i == 0u ? count : 0u;
}

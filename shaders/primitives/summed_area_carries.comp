#version 460
// Second step of a summed-area table: what lies before each tile. Replaces the sums of a line of
// tiles, `line` words for each tile, by the sums of all tiles before.

const uint kTogether = 16u;
layout(local_size_x = 64) in;

#include "carry_word.glsl"

buffer Carries { uint words[]; } carries;

uniform Params {
    uint line;  // words of a tile
    uint tiles; // of a line
} params;

void main() {
    uint word = gl_GlobalInvocationID.x;
    if (word >= params.line) return;
    uint first = gl_WorkGroupID.y * params.tiles * params.line + word;
    uint before = 0u;
    // Several at a time, so that their loads are under way together. Compilers may unroll the loops
    // but are not told to: SwiftShader takes minutes over so many branches.
    for (uint tile = 0u; tile < params.tiles; tile += kTogether) {
        uint at = first + tile * params.line;
        uint count = min(kTogether, params.tiles - tile);
        uint sums[kTogether];
        for (uint i = 0u; i < kTogether; ++i)
            sums[i] = i < count ? carries.words[at + i * params.line] : 0u;
        for (uint i = 0u; i < kTogether; ++i) {
            if (i < count) carries.words[at + i * params.line] = before;
            before = add_words(before, sums[i]);
        }
    }
}

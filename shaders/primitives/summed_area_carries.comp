#version 460
// Second step of a summed-area table: what lies before each tile. Replaces the sums of a line of
// tiles, `line` words for each tile, by the sums of all tiles before.

layout(local_size_x = 64) in;

#include "primitives/carry_word.glsl"

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
    for (uint tile = 0u; tile < params.tiles; ++tile) {
        uint at = first + tile * params.line;
        uint sum = carries.words[at];
        carries.words[at] = before;
        before = add_words(before, sum);
    }
}

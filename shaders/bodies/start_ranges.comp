#version 460
// Where the constraints of each cell begin and end, from where each begins; the last range is that of
// constraints that move nothing.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Starts { uint values[]; } starts;
writeonly buffer Ranges { uvec2 values[]; } ranges;

uniform Params {
    uint all_cells;
} params;

void main() {
    uint cell = invocation_index();
    if (cell > params.all_cells) return;
    uint end = cell < params.all_cells ? starts.values[cell + 1u] : tally.words[1];
    ranges.values[cell] = uvec2(starts.values[cell], end);
}

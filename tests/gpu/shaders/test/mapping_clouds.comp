#version 460
// The cloud of one frame after the other, out of a list of clouds.

layout(local_size_x = 64) in;

readonly buffer AllPositions { vec4 values[]; } all_positions;
readonly buffer AllColors { uint words[]; } all_colors;
readonly buffer Counts { uint words[]; } counts;
readonly buffer Clock { uint word; } clock_before;
writeonly buffer NextClock { uint word; } next_clock;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Colors { uint words[]; } colors;
writeonly buffer Count { uint word; } count;

uniform Params {
    uint room;
} params;

void main() {
    uint i = gl_GlobalInvocationID.x; // few enough for one row of groups
    uint frame = clock_before.word;
    if (i == 0u) {
        next_clock.word = frame + 1u;
        count.word = counts.words[frame];
    }
    if (i >= params.room) return;
    positions.values[i] = all_positions.values[frame * params.room + i];
    colors.words[i] = all_colors.words[frame * params.room + i];
}

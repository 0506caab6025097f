#version 460
// How many voxels there are, for those who draw them.

layout(local_size_x = 1) in;

uniform Params {
    uint room;
    uint vertices; // of each
} params;

readonly buffer Found { uint count; } found;
writeonly buffer Counts { uint found; uint room; } counts;
writeonly buffer DrawArguments { uint words[]; } draw_arguments; // VkDrawIndirectCommand

void main() {
    counts.found = found.count;
    counts.room = params.room;
    draw_arguments.words[0] = params.vertices;
    draw_arguments.words[1] = min(found.count, params.room);
    draw_arguments.words[2] = 0u;
    draw_arguments.words[3] = 0u;
}

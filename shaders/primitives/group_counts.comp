#version 460
// Workgroups for a number of elements that only the device knows, as an indirect dispatch takes
// them: at least one, in rows of at most 65,535.

layout(local_size_x = 1) in;

uniform Params {
    uint most; // elements
    uint elements_per_group;
} params;
#include "length.glsl"

writeonly buffer Arguments { uint words[]; } arguments;

const uint kMaxGroupsPerAxis = 65535u;

void main() {
    uint groups = max(tiles_of(element_count(params.most), params.elements_per_group), 1u);
    uint rows = tiles_of(groups, kMaxGroupsPerAxis);
    arguments.words[0] = tiles_of(groups, rows);
    arguments.words[1] = rows;
    arguments.words[2] = 1u;
}

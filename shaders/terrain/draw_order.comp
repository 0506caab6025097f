#version 460
// Lists the leaves by the set of their edges beyond which the leaves are coarser.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Status { uint count; } status;
readonly buffer Edges { uint values[]; } edges;
buffer Arguments { uint words[]; } arguments; // of draw_arguments.comp
writeonly buffer Order { uint values[]; } order;

uniform Params { uint capacity; } params;

void main() {
    uint leaf = invocation_index();
    if (leaf >= min(status.count, params.capacity)) return;
    uint steps = edges.values[leaf];
    uint set = uint((steps & 0xfu) != 0u) | uint((steps & 0xf0u) != 0u) << 1u |
               uint((steps & 0xf00u) != 0u) << 2u | uint((steps & 0xf000u) != 0u) << 3u;
    uint at = atomicAdd(arguments.words[5u * set + 1u], 1u);
    order.values[set * params.capacity + at] = leaf;
}

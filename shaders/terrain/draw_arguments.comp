#version 460
// The arguments of the draws of a tree's leaves: one instance a leaf. With SORTED there are 16
// draws, one for each set of edges beyond which the leaves are coarser, whose instances are counted
// by draw_order.comp.
//! variants SORTED=0,1

layout(local_size_x = 16) in;

readonly buffer Status { uint count; } status;
writeonly buffer Arguments { uint words[]; } arguments; // indices, instances, first index, 0, first

uniform Params {
    uint capacity;
    uvec4 first[4]; // index of each set
    uvec4 count[4]; // indices of each set
} params;

void main() {
    uint set = gl_LocalInvocationIndex;
#if SORTED == 0
    if (set > 0u) return;
    uint instances = min(status.count, params.capacity);
    uint first_instance = 0u;
#else
    uint instances = 0u;
    uint first_instance = set * params.capacity;
#endif
    arguments.words[5u * set] = params.count[set / 4u][set % 4u];
    arguments.words[5u * set + 1u] = instances;
    arguments.words[5u * set + 2u] = params.first[set / 4u][set % 4u];
    arguments.words[5u * set + 3u] = 0u;
    arguments.words[5u * set + 4u] = first_instance;
}

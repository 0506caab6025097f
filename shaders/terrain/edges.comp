#version 460
// How many levels coarser the neighbours of each leaf are, of the tree there is: looked up in its
// list, which is in the order of key.glsl.
//! variants KEY_WORDS=1,2

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "lod.glsl"

readonly buffer Keys { TreeKey values[]; } keys;
readonly buffer Status { uint count; } status;
writeonly buffer Edges { uint values[]; } edges;

uniform Params {
    uint capacity;
} params;

// The level of the leaf in which a node begins.
uint level_at(Node node, uint count) {
    uvec2 place = begin_of(node);
    uint low = 0u; // begins at or before the place
    uint high = count;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (is_before(place, begin_of(node_of(keys.values[middle]))))
            high = middle;
        else
            low = middle;
    }
    return node_of(keys.values[low]).level;
}

void main() {
    uint i = invocation_index();
    uint count = min(status.count, params.capacity);
    if (i >= count) return;
    Node node = node_of(keys.values[i]);
    uint result = 0u;
    for (uint side = 0u; side < kSides; ++side) {
        Node beyond;
        if (!neighbour_of(node, side, beyond)) continue;
        if (same_node(parent_of(beyond), parent_of(node))) continue; // at least as fine
        uint other = level_at(beyond, count);
        if (other < node.level) result |= (node.level - other) << (4u * side);
    }
    edges.values[i] = result;
}

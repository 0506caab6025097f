#version 460
// Where a search from both roots begins; or within one mesh, for each node its two children.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint kSelf = 0u;

#include "bvh/bvh.glsl"
#include "frame.glsl"
#include "invocation.glsl"
#include "status.glsl"

uniform Params {
    uint frontier_room;
} params;

readonly buffer StatusA { HierarchyStatus elements[]; } status_a;
readonly buffer StatusB { HierarchyStatus elements[]; } status_b;
readonly buffer NodesA { vec4 values[]; } nodes_a;
readonly buffer Frame { PairFrame elements[]; } frame;
buffer CollisionStatus { SearchStatus elements[]; } collision_status;
writeonly buffer Items { uvec2 values[]; } items;
writeonly buffer ItemCount { uint value; } item_count;

void main() {
    uint i = invocation_index();
    uint root_a = status_a.elements[0].root;
    uint root_b = status_b.elements[0].root;
    uint count = root_a != kNoNode && root_b != kNoNode ? 1u : 0u;
    if (kSelf != 0u) count = status_a.elements[0].nodes;
    if (frame.elements[0].is_rigid == 0u) count = 0u;
    if (i == 0u) {
        item_count.value = count;
        collision_status.elements[0].frontier = count;
    }
    if (i >= min(count, params.frontier_room)) return;
    items.values[i] = kSelf == 0u ? uvec2(root_a, root_b)
                                  : uvec2(floatBitsToUint(nodes_a.values[4u * i].w),
                                          floatBitsToUint(nodes_a.values[4u * i + 2u].w));
}

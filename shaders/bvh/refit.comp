#version 460
// New boxes for a hierarchy whose triangles have moved, from the leaves up. Who comes to a node
// second goes on with its parent, so nobody waits.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "memory_order.glsl"
#include "refitted.glsl"

readonly buffer OldNodes { uvec4 values[]; } old_nodes;
coherent buffer Nodes { uvec4 values[]; } nodes;
coherent buffer Arrivals { uint values[]; } arrivals; // kNobody at the start
writeonly buffer Leaves { uvec4 values[]; } leaves;

const uint kNobody = 0xffffffffu;

void main() {
    uint leaf = invocation_index();
    if (leaf >= bvh_status.elements[0].leaves) return;
    uint triangle = old_leaves.values[3u * leaf].w;
    uint parent = old_leaves.values[3u * leaf + 1u].w;
    Corners corners = refitted(mesh_triangle(triangle, params.vertex_count), leaf);
    vec3 low = min(min(corners.a, corners.b), corners.c);
    vec3 high = max(max(corners.a, corners.b), corners.c);
    leaves.values[3u * leaf] = uvec4(floatBitsToUint(corners.a), triangle);
    leaves.values[3u * leaf + 1u] = uvec4(floatBitsToUint(corners.b), parent);
    leaves.values[3u * leaf + 2u] = uvec4(floatBitsToUint(corners.c), 0u);

    uint reference = leaf | kLeafBit;
    while (parent != kNoNode) {
        uint at = 4u * parent;
        uvec4 old = old_nodes.values[at + 1u];
        bool is_left = old_nodes.values[at].w == reference;
        uint mine = at + (is_left ? 0u : 2u);
        nodes.values[mine] = uvec4(floatBitsToUint(low), reference);
        nodes.values[mine + 1u] =
            uvec4(floatBitsToUint(high), is_left ? old.w : old_nodes.values[at + 3u].w);
        order_buffers();
        if (atomicExchange(arrivals.values[parent], 0u) == kNobody) return;
        order_buffers();
        uint its = at + (is_left ? 2u : 0u);
        vec3 its_low = uintBitsToFloat(nodes.values[its].xyz);
        vec3 its_high = uintBitsToFloat(nodes.values[its + 1u].xyz);
        // In a fixed order, for which of +0 and -0 is the least is not said.
        low = is_left ? min(low, its_low) : min(its_low, low);
        high = is_left ? max(high, its_high) : max(its_high, high);
        reference = parent;
        parent = old.w;
    }
    for (uint axis = 0u; axis < 3u; ++axis) {
        bvh_status.elements[0].low[axis] = low[axis];
        bvh_status.elements[0].high[axis] = high[axis];
    }
}

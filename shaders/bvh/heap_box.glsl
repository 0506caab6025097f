// The box of a node of a heap: of its triangles, or of its children.
#include "bvh/bvh.glsl"

readonly buffer Leaves { uvec4 values[]; } leaves;
coherent buffer Nodes { uvec4 values[]; } nodes; // a group may make several levels

const float kFarthest = 3.4028234e38;

struct HeapBox {
    vec3 low;
    vec3 high;
};

HeapBox joined(HeapBox a, HeapBox b) {
    return HeapBox(min(a.low, b.low), max(a.high, b.high));
}

const HeapBox kEmpty = HeapBox(vec3(kFarthest), vec3(-kFarthest));

HeapBox box_of_leaves(uint first, uint count) {
    HeapBox box = kEmpty;
    for (uint quad = 3u * first; quad < 3u * (first + count); ++quad) {
        vec3 corner = uintBitsToFloat(leaves.values[quad].xyz);
        box = joined(box, HeapBox(corner, corner));
    }
    return box;
}

HeapBox box_of(uint node) {
    return HeapBox(uintBitsToFloat(nodes.values[2u * node].xyz),
                   uintBitsToFloat(nodes.values[2u * node + 1u].xyz));
}

// Writes the box of a node whose children have theirs. Returns its kind.
uint make_box(uint node) {
    uint kind = nodes.values[2u * node].w;
    HeapBox box = kEmpty;
    if (kind != kHeapInvalid) {
        if ((kind & kHeapLeaf) != 0u) box = box_of_leaves(nodes.values[2u * node + 1u].w, kind >> 3u);
        else box = joined(box_of(2u * node), box_of(2u * node + 1u));
    }
    nodes.values[2u * node].xyz = floatBitsToUint(box.low);
    nodes.values[2u * node + 1u].xyz = floatBitsToUint(box.high);
    return kind;
}

// What a build tells of its nodes, counted by groups. Nothing where a refit makes boxes again.
layout(constant_id = 0) const uint kCounts = 0u;
buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

shared uint interior_nodes;
shared uint largest_leaf;

void begin_counts() {
    if (kCounts == 0u) return;
    if (gl_LocalInvocationIndex == 0u) interior_nodes = largest_leaf = 0u;
    barrier();
}
void count_node(uint kind) {
    if (kCounts == 0u || kind == kHeapInvalid) return;
    if ((kind & kHeapLeaf) != 0u) atomicMax(largest_leaf, kind >> 3u);
    else atomicAdd(interior_nodes, 1u);
}
void end_counts() {
    if (kCounts == 0u) return;
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    if (interior_nodes > 0u) atomicAdd(bvh_status.elements[0].nodes, interior_nodes);
    if (largest_leaf > 0u) atomicMax(bvh_status.elements[0].largest_leaf, largest_leaf);
}

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

// Writes the box of a node whose children have theirs.
void make_box(uint node) {
    uint kind = nodes.values[2u * node].w;
    HeapBox box = kEmpty;
    if (kind != kHeapInvalid) {
        if ((kind & kHeapLeaf) != 0u) box = box_of_leaves(nodes.values[2u * node + 1u].w, kind >> 3u);
        else box = joined(box_of(2u * node), box_of(2u * node + 1u));
    }
    nodes.values[2u * node].xyz = floatBitsToUint(box.low);
    nodes.values[2u * node + 1u].xyz = floatBitsToUint(box.high);
}

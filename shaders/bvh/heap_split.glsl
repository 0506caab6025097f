// The children of a node of a heap: its triangles part where the highest bit changes in which their
// codes differ.
#include "bvh/bvh.glsl"
#include "ordered.glsl"

readonly buffer Codes { uint values[]; } codes; // sorted
readonly buffer Box { uint words[]; } box;

layout(constant_id = 0) const uint equal_codes = 0u; // 0: triangles of one code make a leaf;
                                                     // 1: they part by their numbers
layout(constant_id = 1) const uint in_turn = 0u;     // 1: a level's bit is that of its number, and
                                                     // a child may be empty
layout(constant_id = 2) const uint by_extents = 0u;  // 1: bits halve the longest side of a cell

const uint kCodeBits = 30u;

// A node without its box.
struct HeapNode {
    uint kind;
    uint first;
};
const HeapNode kNone = HeapNode(kHeapInvalid, kHeapInvalid);

bool is_invalid(uint kind) {
    return kind == kHeapInvalid;
}

// The first of [first, last] with `bit` in its code or number; those before have not.
uint first_with(uint first, uint last, uint bit, bool by_code) {
    uint low = first;
    uint high = last + 1u;
    while (low < high) {
        uint middle = low + (high - low) / 2u;
        uint key = by_code ? codes.values[middle] : middle;
        if ((key >> bit & 1u) != 0u) high = middle;
        else low = middle + 1u;
    }
    return low;
}

// The axis that a bit of a code halves; as in shaders/bvh/morton.comp.
uint axis_of(uint bit) {
    // Bit 3j is of z, 3j + 1 of y, 3j + 2 of x.
    if (by_extents == 0u) return 2u - bit % 3u;
    vec3 side = from_ordered(uvec3(box.words[3], box.words[4], box.words[5])) -
                from_ordered(~uvec3(box.words[0], box.words[1], box.words[2]));
    uint axis = 0u;
    for (uint i = kCodeBits; i-- > bit;) {
        axis = side.x >= side.y && side.x >= side.z ? 0u : side.y >= side.z ? 1u : 2u;
        side = mix(side, 0.5 * side, equal(uvec3(axis), uvec3(0u, 1u, 2u)));
    }
    return axis;
}

struct HeapSplit {
    HeapNode parent; // may have become a leaf
    HeapNode left;
    HeapNode right;
};

HeapNode heap_child(uint first, uint end, uint level, uint depth) {
    if (first == end) return kNone;
    bool last_level = level + 1u == depth;
    return HeapNode((end - first) << 3u | (last_level ? kHeapLeaf : 0u), first);
}

// What becomes of a node of `level`, of `depth` levels: the nodes of the last one are leaves.
HeapSplit split_node(HeapNode node, uint level, uint depth) {
    if (is_invalid(node.kind) || (node.kind & kHeapLeaf) != 0u) return HeapSplit(node, kNone, kNone);
    uint count = node.kind >> 3u;
    HeapNode leaf = HeapNode(node.kind | kHeapLeaf, node.first);
    if (count < 2u) return HeapSplit(leaf, kNone, kNone);
    uint first = node.first;
    uint last = first + count - 1u;
    uint differ = codes.values[first] ^ codes.values[last];
    bool by_code = differ != 0u;
    if (!by_code && equal_codes == 0u) return HeapSplit(leaf, kNone, kNone);
    uint bit = uint(findMSB(by_code ? differ : first ^ last));
    if (by_code && in_turn != 0u) bit = kCodeBits - 1u - min(level, kCodeBits - 1u);
    uint middle = first_with(first, last, bit, by_code);
    HeapNode parent = HeapNode(node.kind | (by_code ? axis_of(bit) : 0u), first);
    return HeapSplit(parent, heap_child(first, middle, level + 1u, depth),
                     heap_child(middle, last + 1u, level + 1u, depth));
}

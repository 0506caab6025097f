// Pairs of nodes that the search is at, and their boxes. A reference is that of bvh/bvh.glsl.
#ifndef COLLISION_ITEMS
#define COLLISION_ITEMS

readonly buffer NodesA { vec4 values[]; } nodes_a;
readonly buffer NodesB { vec4 values[]; } nodes_b;
readonly buffer LeavesA { vec4 values[]; } leaves_a;
readonly buffer LeavesB { vec4 values[]; } leaves_b;
readonly buffer BoxesA { OrientedBox elements[]; } boxes_a;
readonly buffer BoxesB { OrientedBox elements[]; } boxes_b;
readonly buffer Frame { PairFrame elements[]; } frame;
readonly buffer Items { uvec2 values[]; } items;
readonly buffer ItemCount { uint value; } item_count;

bool is_leaf(uint reference) {
    return (reference & kLeafBit) != 0u;
}

Box box_a(uint reference) {
    uint at = 3u * (reference & ~kLeafBit);
    if (is_leaf(reference))
        return triangle_box(leaves_a.values[at].xyz, leaves_a.values[at + 1u].xyz,
                            leaves_a.values[at + 2u].xyz);
    return box_of(boxes_a.elements[reference]);
}

// Seen from the first mesh. A placement that mirrors leaves boxes boxes.
Box box_b(uint reference, PairFrame f) {
    uint at = 3u * (reference & ~kLeafBit);
    Box box;
    if (is_leaf(reference)) {
        box = triangle_box(leaves_b.values[at].xyz, leaves_b.values[at + 1u].xyz,
                           leaves_b.values[at + 2u].xyz);
    } else {
        box = box_of(boxes_b.elements[reference]);
    }
    return Box(moved(f.rows, box.middle), box.half_size, turned(f.rows, box.x),
               turned(f.rows, box.y));
}

// What the pair `item` becomes where its boxes meet: 0, they do not; 1, two pairs; 2, a pair of
// leaves. The larger of two nodes is opened.
const uint kParted = 0u;
const uint kOpened = 1u;
const uint kLeaves = 2u;

uint judged(uvec2 item, out bool opens_a) {
    PairFrame f = frame.elements[0];
    opens_a = false;
    if (f.is_rigid == 0u) return kParted;
    Box a = box_a(item.x);
    Box b = box_b(item.y, f);
    if (!boxes_meet(a, b, f.slack)) return kParted;
    if (is_leaf(item.x) && is_leaf(item.y)) return kLeaves;
    opens_a = is_leaf(item.y) ||
              (!is_leaf(item.x) && dot(a.half_size, a.half_size) >= dot(b.half_size, b.half_size));
    return kOpened;
}

// The two pairs: (both.x, both.y) and (both.z, both.w).
uvec4 opened(uvec2 item, bool opens_a) {
    if (opens_a) {
        uint left = floatBitsToUint(nodes_a.values[4u * item.x].w);
        uint right = floatBitsToUint(nodes_a.values[4u * item.x + 2u].w);
        return uvec4(left, item.y, right, item.y);
    }
    uint left = floatBitsToUint(nodes_b.values[4u * item.y].w);
    uint right = floatBitsToUint(nodes_b.values[4u * item.y + 2u].w);
    return uvec4(item.x, left, item.x, right);
}

#endif

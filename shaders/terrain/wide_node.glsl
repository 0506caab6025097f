// Nodes of bisections as two words, the lower one first: as terrain/bisection.glsl, to any depth up to 60.
#ifndef TERRAIN_WIDE_NODE
#define TERRAIN_WIDE_NODE

#include "bisection.glsl"

const uvec2 kNoNode = uvec2(0u);

// Bits of a leaf's plan: it is cut, its first and its second child are cut.
const uint kCutLeaf = 1u;
const uint kCutFirst = 2u;
const uint kCutSecond = 4u;

uint wide_depth(uvec2 node) {
    return node.y != 0u ? 32u + uint(findMSB(node.y)) : uint(findMSB(node.x));
}

uvec2 wide_child(uvec2 node, uint right) {
    return uvec2(node.x << 1u | right, node.y << 1u | node.x >> 31u);
}

uvec2 wide_parent(uvec2 node) {
    return uvec2(node.x >> 1u | node.y << 31u, node.y >> 1u);
}

uint wide_bit(uvec2 node, int i) {
    return (i < 32 ? node.x >> i : node.y >> (i - 32)) & 1u;
}

// The node without its last bits, of which one word is left.
uint wide_top(uvec2 node, int below) {
    if (below == 0) return node.x;
    if (below < 32) return node.x >> below | node.y << (32 - below);
    return node.y >> (below - 32);
}

// Nodes of the same depth across the edges; kNoNode at the border.
struct WideBeside {
    uvec2 ab;
    uvec2 bc;
    uvec2 ac; // the longest
};

WideBeside wide_beside(uvec2 node, TreeShape shape) {
    int below = int(wide_depth(node) - shape.root_bits - 2u);
    uvec2 top = uvec2(wide_top(node, below), 0u);
    uvec3 quarters = nodes_beside(top.x, shape);
    uvec2 ab = uvec2(quarters.x, 0u);
    uvec2 bc = uvec2(quarters.y, 0u);
    uvec2 ac = uvec2(quarters.z, 0u);
    for (int i = below - 1; i >= 0; --i) {
        uint right = wide_bit(node, i);
        uvec2 before_ac = ac;
        uvec2 edge = right == 0u ? ab : bc;
        ac = edge == kNoNode ? kNoNode : wide_child(edge, 1u - right);
        uvec2 half_edge = before_ac == kNoNode ? kNoNode : wide_child(before_ac, 1u - right);
        uvec2 sibling = wide_child(top, 1u - right);
        ab = right == 0u ? half_edge : sibling;
        bc = right == 0u ? sibling : half_edge;
        top = wide_child(top, right);
    }
    return WideBeside(ab, bc, ac);
}

uvec2 wide_across(uvec2 node, TreeShape shape) {
    return wide_beside(node, shape).ac;
}

Triangle wide_triangle(uvec2 node, TreeShape shape) {
    int below = int(wide_depth(node) - shape.root_bits - 2u);
    uint top = wide_top(node, below);
    Triangle t = quarter_triangle((top >> 2u) - (1u << shape.root_bits), top & 3u);
    for (int i = below - 1; i >= 0; --i) t = bisected(t, wide_bit(node, i));
    return t;
}

// Where the node begins, if the surface were 2^62 long.
uvec2 wide_place(uvec2 node) {
    uint shift = 62u - wide_depth(node);
    uvec2 moved = node;
    if (shift >= 32u) moved = uvec2(0u, node.x << (shift - 32u));
    else if (shift > 0u) moved = uvec2(node.x << shift, node.y << shift | node.x >> (32u - shift));
    return moved;
}

bool wide_less(uvec2 a, uvec2 b) {
    return a.y != b.y ? a.y < b.y : a.x < b.x;
}

#endif

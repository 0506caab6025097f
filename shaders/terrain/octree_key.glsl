// Nodes of octrees as keys of one word: the chapter's code with a third axis. 4 bits of level, then
// 27 of Morton code, so there are ten levels, 0 to 9. Bit 3 i of a code is bit i of x, the two above
// it those of y and z. C++: passes/terrain/octree_key.hpp.
#ifndef TERRAIN_OCTREE_KEY
#define TERRAIN_OCTREE_KEY

const uint kMaxOctreeLevel = 9u;

struct OctreeNode {
    uint level;
    uvec3 cell; // below 2^level
};

// The bits of a word below 2^9, two zeros between each two.
uint spread_in_threes(uint v) {
    v = (v | v << 16u) & 0x010000ffu;
    v = (v | v << 8u) & 0x0100f00fu;
    v = (v | v << 4u) & 0x010c30c3u;
    return (v | v << 2u) & 0x01249249u;
}

// Every third bit of a code of 27 bits.
uint every_third_bit(uint v) {
    v &= 0x01249249u;
    v = (v | v >> 2u) & 0x010c30c3u;
    v = (v | v >> 4u) & 0x0100f00fu;
    v = (v | v >> 8u) & 0x010000ffu;
    return (v | v >> 16u) & 0x1ffu;
}

uint octree_key_of(OctreeNode node) {
    uint code = spread_in_threes(node.cell.x) | spread_in_threes(node.cell.y) << 1u |
                spread_in_threes(node.cell.z) << 2u;
    return node.level | code << 4u;
}

OctreeNode octree_node_of(uint key) {
    uint code = key >> 4u;
    return OctreeNode(key & 15u, uvec3(every_third_bit(code), every_third_bit(code >> 1u),
                                       every_third_bit(code >> 2u)));
}

// By the keys alone. Octants: bit 0 is +x, bit 1 +y, bit 2 +z.
uint octant_of(uint key) {
    return key >> 4u & 7u;
}

// Below the deepest level.
uint octree_child_of(uint key, uint octant) {
    uint code = key >> 4u << 3u | octant;
    return (key & 15u) + 1u | code << 4u;
}

// The root is its own.
uint octree_parent_of(uint key) {
    return (key & 15u) == 0u ? key : (key & 15u) - 1u | key >> 7u << 4u;
}

#endif

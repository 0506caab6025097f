// Nodes of a quadtree, and the keys that they are kept as: level and Morton code. Bit 2 i of a code
// is bit i of x, bit 2 i + 1 that of y. C++: passes/terrain/key.hpp.
//
// KEY_WORDS: 1, levels 0 to 14 of one tree: 4 bits of level, 28 of code. 2, levels 0 to 28 of up to
// eight trees: 5 bits of level, 3 of the tree's number, then 24 bits of code; 32 bits of code. Kernels
// without variants take either: `node_of_wide`, `node_of_narrow`.
#ifndef TERRAIN_KEY
#define TERRAIN_KEY

struct Node {
    uint level;
    uint face; // number of its tree
    uvec2 cell; // below 2^level
};

// The bits of a word below 2^16, a zero between each two.
uint spread_bits(uint v) {
    v = (v | v << 8u) & 0x00ff00ffu;
    v = (v | v << 4u) & 0x0f0f0f0fu;
    v = (v | v << 2u) & 0x33333333u;
    return (v | v << 1u) & 0x55555555u;
}

// The even bits of a word.
uint even_bits(uint v) {
    v &= 0x55555555u;
    v = (v | v >> 1u) & 0x33333333u;
    v = (v | v >> 2u) & 0x0f0f0f0fu;
    v = (v | v >> 4u) & 0x00ff00ffu;
    return (v | v >> 8u) & 0x0000ffffu;
}

// Lower and upper word.
uvec2 morton_code(uvec2 cell) {
    uvec2 low = cell & 0xffffu;
    uvec2 high = cell >> 16u;
    return uvec2(spread_bits(low.x) | spread_bits(low.y) << 1u,
                 spread_bits(high.x) | spread_bits(high.y) << 1u);
}

uvec2 cell_of_code(uvec2 code) {
    return uvec2(even_bits(code.x) | even_bits(code.y) << 16u,
                 even_bits(code.x >> 1u) | even_bits(code.y >> 1u) << 16u);
}

uvec2 wide_key_of(Node node) {
    uvec2 code = morton_code(node.cell);
    return uvec2(node.level | node.face << 5u | code.x << 8u, code.x >> 24u | code.y << 8u);
}

Node node_of_wide(uvec2 key) {
    return Node(key.x & 31u, key.x >> 5u & 7u,
                cell_of_code(uvec2(key.x >> 8u | key.y << 24u, key.y >> 8u)));
}

uint narrow_key_of(Node node) {
    return node.level | morton_code(node.cell).x << 4u;
}

Node node_of_narrow(uint key) {
    return Node(key & 15u, 0u, cell_of_code(uvec2(key >> 4u, 0u)));
}

#ifdef KEY_WORDS
const uint kMaxLevel = KEY_WORDS == 2 ? 28u : 14u;
#if KEY_WORDS == 2
#define TreeKey uvec2
#define key_of wide_key_of
#define node_of node_of_wide
#else
#define TreeKey uint
#define key_of narrow_key_of
#define node_of node_of_narrow
#endif
#endif

// Which child of its parent: 0 to 3, bit 0 is +x, bit 1 is +y.
uint quadrant_of(Node node) {
    return node.level == 0u ? 0u : (node.cell.x & 1u) | (node.cell.y & 1u) << 1u;
}

Node child_of(Node node, uint quadrant) {
    return Node(node.level + 1u, node.face,
                node.cell << 1u | uvec2(quadrant & 1u, quadrant >> 1u));
}

// The root is its own.
Node parent_of(Node node) {
    if (node.level == 0u) return node;
    return Node(node.level - 1u, node.face, node.cell >> 1u);
}

bool same_node(Node a, Node b) {
    return a.level == b.level && a.face == b.face && a.cell == b.cell;
}

// Lists of leaves in the order of a walk: a leaf begins where the one before it ends.

// Sums of two words, the lower one first.
uvec2 sum_of(uvec2 a, uvec2 b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

bool is_before(uvec2 a, uvec2 b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

uvec2 shifted_left(uvec2 value, uint by) {
    if (by == 0u) return value;
    if (by >= 32u) return uvec2(0u, value.x << (by - 32u));
    return uvec2(value.x << by, value.y << by | value.x >> (32u - by));
}

// Where a node begins, among cells of level 28 of all trees.
uvec2 begin_of(Node node) {
    uvec2 code = shifted_left(morton_code(node.cell), 2u * (28u - node.level));
    return sum_of(code, uvec2(0u, node.face << 24u));
}

uvec2 end_of(Node node) {
    return sum_of(begin_of(node), shifted_left(uvec2(1u, 0u), 2u * (28u - node.level)));
}

#endif

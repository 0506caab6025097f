// Trees as lists of leaves in the order of a walk: a leaf begins where the one before it ends.
// Needs key.glsl.
#ifndef TERRAIN_SORTED
#define TERRAIN_SORTED

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

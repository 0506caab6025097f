// Morton keys with a leading 1, as two words: x has the lower 32 bits. Cells, and where points lie
// among them.
#ifndef OCTREE_KEY
#define OCTREE_KEY

layout(constant_id = 20) const uint kDepth = 5u;    // levels below the root
layout(constant_id = 21) const uint kKeyWords = 1u; // of a stored key: 1 holds 10 levels, 2 hold 21

const uvec2 kNoKey = uvec2(0u);

// The key `levels` above.
uvec2 shortened(uvec2 key, uint levels) {
    uint by = 3u * levels;
    if (by == 0u) return key;
    if (by >= 32u) return uvec2(by < 64u ? key.y >> (by - 32u) : 0u, 0u);
    return uvec2(key.x >> by | key.y << (32u - by), key.y >> by);
}

// Which child of its parent the node at `level` is that a key of a leaf goes through; the root is
// at level 0 and is nobody's.
uint octant_at(uvec2 key, uint level) {
    return shortened(key, kDepth - level).x & 7u;
}

// The lower 10 bits, each followed by two zeros (H. S. Warren, Hacker's Delight, 7-2).
uint spread(uint bits) {
    bits &= 0x3ffu;
    bits = (bits | bits << 16u) & 0x030000ffu;
    bits = (bits | bits << 8u) & 0x0300f00fu;
    bits = (bits | bits << 4u) & 0x030c30c3u;
    return (bits | bits << 2u) & 0x09249249u;
}

uint interleaved(uvec3 cell) {
    return spread(cell.x) | spread(cell.y) << 1u | spread(cell.z) << 2u;
}

// Of the cell of a leaf.
uvec2 key_of(uvec3 cell) {
    uint low = interleaved(cell);               // 30 bits
    uint middle = interleaved(cell >> 10u);     // 30 bits
    uint high = interleaved(cell >> 20u) & 7u;  // 3 bits
    uvec2 key = uvec2(low | middle << 30u, middle >> 2u | high << 28u);
    uint one = 3u * kDepth;
    return one < 32u ? uvec2(key.x | 1u << one, 0u) : uvec2(key.x, key.y | 1u << (one - 32u));
}

uint hash_of(uvec2 key) {
    // The finisher of MurmurHash3 (A. Appleby).
    uint h = key.x * 0x9e3779b1u ^ (key.y + 0x7f4a7c15u) * 0x85ebca77u;
    h = (h ^ h >> 16u) * 0x85ebca6bu;
    h = (h ^ h >> 13u) * 0xc2b2ae35u;
    return h ^ h >> 16u;
}

// By the bits, for compilers may take isnan for false.
bool is_finite(vec3 p) {
    return all(lessThan(floatBitsToUint(p) & 0x7fffffffu, uvec3(0x7f800000u)));
}

// In cells, from the middle of the root. From there and not from its corner, for small numbers are
// exact.
vec3 in_cells(vec3 world, vec3 center, float cells_a_unit) {
    precise vec3 from_center = world - center;
    precise vec3 cells = from_center * cells_a_unit;
    return cells;
}

int half_cells() {
    return 1 << int(kDepth) - 1;
}

bool is_inside(vec3 cells) {
    float reach = float(half_cells());
    return all(greaterThanEqual(cells, vec3(-reach))) && all(lessThan(cells, vec3(reach)));
}

// Cells have their lower faces. `cells` must be inside.
uvec3 cell_of(vec3 cells) {
    return uvec3(ivec3(floor(cells)) + half_cells());
}

#endif

// Traversal of wide nodes. Included by bvh/traverse.glsl.
#include "bvh/wide_node.glsl"

vec4 bytes_of(uint word) {
    return vec4(uvec4(word, word >> 8u, word >> 16u, word >> 24u) & 255u);
}

// Four children at a time: their planes along one axis, and the ray's interval between them.
struct Planes {
    vec4 near;
    vec4 far;
};
Planes planes_of(float origin, float size, uint low, uint high, float ray_low, float ray_high,
                 float inverse) {
    precise vec4 low_plane = origin + bytes_of(low) * size;
    precise vec4 high_plane = origin + bytes_of(high) * size;
    precise vec4 a = (low_plane - ray_low) * inverse;
    precise vec4 b = (high_plane - ray_high) * inverse;
    return Planes(min(a, b), max(a, b));
}

// As `interval_in` and `may_hit`, to the bit.
bvec4 four_may_hit(Slabs slabs, uvec4 grid, uvec3 low, uvec3 high, float t) {
    vec3 origin = uintBitsToFloat(grid.xyz);
    vec3 size = vec3(step_of(grid.w & 255u), step_of(grid.w >> 8u & 255u),
                     step_of(grid.w >> 16u & 255u));
    Planes x = planes_of(origin.x, size.x, low.x, high.x, slabs.low.x, slabs.high.x,
                         slabs.inverse.x);
    Planes y = planes_of(origin.y, size.y, low.y, high.y, slabs.low.y, slabs.high.y,
                         slabs.inverse.y);
    Planes z = planes_of(origin.z, size.z, low.z, high.z, slabs.low.z, slabs.high.z,
                         slabs.inverse.z);
    vec4 enters = max(max(x.near, y.near), z.near);
    vec4 leaves = min(min(x.far, y.far), z.far);
    precise vec4 widened = leaves + abs(leaves) * kIntervalSlack;
    bvec4 meets = lessThanEqual(enters, widened);
    bvec4 ahead = greaterThanEqual(widened, vec4(0.0));
    bvec4 before = lessThanEqual(enters, vec4(t));
    return bvec4(meets.x && ahead.x && before.x, meets.y && ahead.y && before.y,
                 meets.z && ahead.z && before.z, meets.w && ahead.w && before.w);
}

// The children that the ray may hit, a bit each: that of `place ^ octant`.
uint wide_hits(PreparedRay ray, uint node, uint octant, float t) {
    uint at = kWideQuads * node;
    uvec4 grid = bvh_nodes.values[at];
    uvec4 first = bvh_nodes.values[at + 1u];
    uvec4 second = bvh_nodes.values[at + 2u];
    uvec4 a = bvh_nodes.values[at + 3u];
    uvec4 b = bvh_nodes.values[at + 4u];
    uvec4 c = bvh_nodes.values[at + 5u];
    ray_work.x += kWideChildren;
    bvec4 lower = four_may_hit(ray.slabs, grid, uvec3(a.x, a.z, b.x), uvec3(b.z, c.x, c.z), t);
    bvec4 upper = four_may_hit(ray.slabs, grid, uvec3(a.y, a.w, b.y), uvec3(b.w, c.y, c.w), t);
    uint hits = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        if (lower[i] && first[i] != kNoNode) hits |= 1u << (i ^ octant);
        if (upper[i] && second[i] != kNoNode) hits |= 1u << ((i + 4u) ^ octant);
    }
    return hits;
}

// Below `root`, which there is.
void go_wide(PreparedRay prepared, uint root, bool any, inout Hit best) {
    uint node = root;
    if ((node & kLeafBit) != 0u) {
        meet_leaf(prepared, node & ~kLeafBit, best);
        return;
    }
    uint octant = uint(prepared.direction.x < 0.0) | uint(prepared.direction.y < 0.0) << 1u |
                  uint(prepared.direction.z < 0.0) << 2u;
    uvec2 stack[kMostLevels]; // nodes, and their children that wait
    uint waiting = 0u;
    uint hits = wide_hits(prepared, node, octant, best.t);
    while (true) {
        if (hits == 0u) {
            if (waiting == 0u) break;
            uvec2 next = stack[--waiting];
            node = next.x;
            hits = next.y;
        }
        uint place = uint(findLSB(hits)) ^ octant;
        hits &= hits - 1u;
        uint child = bvh_nodes.values[kWideQuads * node + 1u + (place >> 2u)][place & 3u];
        if ((child & kLeafBit) != 0u) {
            meet_leaf(prepared, child & ~kLeafBit, best);
            if (any && best.triangle != kNoTriangle) break;
            continue;
        }
        if (hits != 0u) stack[waiting++] = uvec2(node, hits);
        node = child;
        hits = wide_hits(prepared, node, octant, best.t);
    }
}

Hit traverse_wide(Ray ray, bool any) {
    Hit best = no_hit(ray);
    uint root = bvh_status.words[kStatusRoot];
    if (root != kNoNode) go_wide(prepare(ray), root, any, best);
    return best;
}

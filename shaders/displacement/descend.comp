#version 460
//! variants STORE=none,kept
// What rays hit, each by itself: where a ray meets the box of a patch it goes down the patch's quad
// tree, whose boxes come from the corners of the parts of the quad and from the least and greatest
// displacements there. Nothing is stored, and the stack is a word: a bit for each quarter that is still
// to be visited. STORE=kept: down its tree, where trees are kept.

layout(local_size_x = 64) in;

#if STORE_kept
#include "tree.glsl"
#else
#include "parts.glsl"
#endif
#include "invocation.glsl"

writeonly buffer Hits { uvec4 values[]; } hits;
writeonly buffer Levels { uint values[]; } levels; // of the patch hit

layout(constant_id = 0) const uint with_levels = 0u;
layout(constant_id = 1) const uint question_any = 0u; // 1: any hit will do

uniform Params {
    uint ray_count;
    uint finest;
    float scale;
    float spread;
    vec3 eye;
    uint patch_count;
    uint node_room; // words, of a tree
} params;

#include "walk.glsl"

// Of the ray that is traced.
PatchHit best;
uint best_patch = 0xffffffffu;
uint best_level = 0u;

#if !STORE_kept
uint every_second_bit(uint bits) {
    bits &= 0x5555u;
    bits = (bits | bits >> 1u) & 0x3333u;
    bits = (bits | bits >> 2u) & 0x0f0fu;
    return (bits | bits >> 4u) & 0x00ffu;
}

bool meets(PreparedRay ray, PatchBox box, float limit) {
    return may_hit(interval_in(ray.slabs, box.low, box.high), limit);
}

// The quarters of a part whose boxes the ray meets, a bit each; quarter 1 is the next one along the
// first coordinate, quarter 2 along the second. `again`: the ray may not meet the part any more.
uint met_quarters(PreparedRay ray, PatchRecord p, uvec2 cell, uint depth, PatchLevels levels,
                  vec3 beyond_map, float limit, bool again) {
    uint last = (1u << depth) - 1u;
    bool at_border = cell.x == 0u || cell.y == 0u || cell.x == last || cell.y == last;
    uvec4 edges = levels.edges;
    if (at_border && depth >= min(min(edges.x, edges.y), min(edges.z, edges.w))) {
        uint met = 0u;
        for (uint k = 0u; k < 4u; ++k) {
            PatchBox box = box_beside_edges(p, 2u * cell + uvec2(k & 1u, k >> 1u), depth + 1u, levels,
                                            params.scale, beyond_map);
            met |= uint(meets(ray, box, limit)) << k;
        }
        return met;
    }
    float side = float(1u << depth);
    vec2 from = vec2(cell) / side;
    vec2 to = vec2(cell + 1u) / side;
    PartCorner a = corner_at(p, from);
    PartCorner b = corner_at(p, vec2(to.x, from.y));
    PartCorner c = corner_at(p, to);
    PartCorner d = corner_at(p, vec2(from.x, to.y));
    if (again && !meets(ray, box_around(a, b, c, d, params.scale, beyond_map), limit)) return 0u;
    PartCorner ab = middle(a, b);
    PartCorner bc = middle(b, c);
    PartCorner cd = middle(c, d);
    PartCorner da = middle(d, a);
    PartCorner centre = middle(ab, cd);
    return uint(meets(ray, box_around(a, ab, centre, da, params.scale, beyond_map), limit)) |
           uint(meets(ray, box_around(ab, b, bc, centre, params.scale, beyond_map), limit)) << 1u |
           uint(meets(ray, box_around(da, centre, cd, d, params.scale, beyond_map), limit)) << 2u |
           uint(meets(ray, box_around(centre, bc, c, cd, params.scale, beyond_map), limit)) << 3u;
}

// Down the parts of a patch, nearer quarters first as far as the quad is flat. One round a part that
// the ray meets: llvmpipe ends the loops of an invocation after 65,536 rounds.
void walk_parts(PreparedRay ray, PatchRecord p, PatchLevels levels, inout PatchHit found) {
    vec3 beyond_map = slack_of_map(p, params.scale);
    uint nearest = uint(dot(ray.direction, p.b - p.a + p.c - p.d) < 0.0) |
                   uint(dot(ray.direction, p.d - p.a + p.c - p.b) < 0.0) << 1u;
    uint waiting = 0u; // quarters of the parts on the way, four bits a depth, nearest first
    uint depth = 0u;
    uint number = 0u; // of the part, along a Z
    while (true) {
        uvec2 cell = uvec2(every_second_bit(number), every_second_bit(number >> 1u));
        if (depth == levels.level) {
            meet_cell(ray, p, cell, levels, params.scale, found);
        } else {
            uint met = met_quarters(ray, p, cell, depth, levels, beyond_map, found.t,
                                    found.cell != 0xffffffffu);
            // Quarter k ^ nearest is the k-th.
            if ((nearest & 1u) != 0u) met = (met & 5u) << 1u | (met >> 1u & 5u);
            if ((nearest & 2u) != 0u) met = (met & 3u) << 2u | met >> 2u;
            waiting |= met << 4u * depth;
        }
        if (waiting == 0u) return;
        uint above = uint(findMSB(waiting)) / 4u;
        uint quarter = uint(findLSB(waiting >> 4u * above));
        waiting &= ~(1u << 4u * above + quarter);
        number = number >> 2u * (depth - above) << 2u | quarter ^ nearest;
        depth = above + 1u;
    }
}
#endif

float visit(uint number, PreparedRay ray, float t) {
    PlacedPatch placed = placed_patch(number, params.patch_count);
    uint i = placed.patch_index;
    PatchRecord p = patches.elements[i];
    PatchBox box = PatchBox(boxes.values[2u * i].xyz, boxes.values[2u * i + 1u].xyz);
    Fineness fineness = fineness_of(Ray(ray.origin, best.t, ray.direction, kNoTriangle),
                                    placed.instance, params.eye, params.spread);
    PatchLevels levels = levels_of(p, box, fineness, params.finest, params.scale);
    PatchHit found = PatchHit(best.t, 0xffffffffu, vec2(0.0));
#if STORE_kept
    tree_at = i * params.node_room;
    walk_tree(ray, p, steps_of(box), levels, params.scale, found);
#else
    walk_parts(ray, p, levels, found);
#endif
    if (found.cell != 0xffffffffu &&
        (found.t < best.t || best_patch == 0xffffffffu || number < best_patch)) {
        best = found;
        best_patch = number;
        best_level = levels.level;
    }
    return question_any != 0u && best_patch != 0xffffffffu ? -1.0 : best.t;
}

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay) return;
    Ray traced = ray_to_patches(i);
    best = PatchHit(traced.t_max, 0xffffffffu, vec2(0.0));
    visit_patches(traced, params.patch_count);
    hits.values[i] = best_patch == 0xffffffffu
                         ? hit_before(i)
                         : uvec4(floatBitsToUint(best.t), patch_number(best_patch),
                                 floatBitsToUint(best.at));
    if (with_levels != 0u) levels.values[i] = best_patch == 0xffffffffu ? 0xffffffffu : best_level;
}

#version 460
//! variants STORE=none,kept
// What rays hit, each by itself: where a ray meets the box of a patch it goes down the patch's quad
// tree, whose boxes come from the corners of the parts of the quad and from the least and greatest
// displacements there. Nothing is stored, and the stack is a word: a bit for each quarter that is still
// to be visited. STORE=kept: down its tree, where trees are kept.

layout(local_size_x = 64) in;

#if STORE_kept
#include "tree.glsl"
#endif
#include "levels.glsl"
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
// Boxes around parts of a patch come from the corners of the part of the quad and from the least and
// greatest displacements there.

readonly buffer Bounds { uvec4 values[]; } bounds;

struct PartCorner {
    vec3 place; // on the quad
    vec2 uv;
    vec3 normal; // of any length; only with `along_normal`
};

PartCorner corner_at(PatchRecord p, vec2 at) {
    PartCorner corner = PartCorner(base_point(p, at), map_place(p, at), vec3(0.0));
    if (along_normal != 0u)
        corner.normal = between(p.normal_a, p.normal_b, p.normal_c, p.normal_d, at);
    return corner;
}
// All of a corner is linear along lines of the grid.
PartCorner middle(PartCorner a, PartCorner b) {
    return PartCorner(0.5 * (a.place + b.place), 0.5 * (a.uv + b.uv), 0.5 * (a.normal + b.normal));
}

// What the map says between two texture coordinates.
PatchBox moved_between(vec2 low_uv, vec2 high_uv) {
    ivec2 size = ivec2(map_width, map_height);
    ivec2 last = max(size - 2, ivec2(0));
    ivec2 from = clamp(ivec2(floor(texels_along(low_uv, size))), ivec2(0), last);
    // A line of texels belongs to the squares on both of its sides.
    ivec2 to = clamp(ivec2(ceil(texels_along(high_uv, size))) - 1, from, last);
    // The finest level of which two parts a side are enough, or one part that is as large.
    int apart = max(to.x - from.x, to.y - from.y);
    int level = apart > 1 ? findMSB(apart - 1) + 1 : 0;
    if (level > 0 && all(lessThanEqual((to >> level - 1) - (from >> level - 1), ivec2(1)))) --level;
    from >>= level;
    to >>= level;
    if (all(equal(to, from + 1)) && all(equal(from & 1, ivec2(0)))) {
        ++level;
        from >>= 1;
        to = from;
    }
    uvec4 part = bounds.values[part_number(from, level)];
    PatchBox moved = PatchBox(least_of(part), most_of(part));
    if (any(notEqual(from, to))) {
        uvec4 others[3] = uvec4[3](bounds.values[part_number(ivec2(to.x, from.y), level)],
                                   bounds.values[part_number(ivec2(from.x, to.y), level)],
                                   bounds.values[part_number(to, level)]);
        moved.low = min(min(moved.low, least_of(others[0])),
                        min(least_of(others[1]), least_of(others[2])));
        moved.high = max(max(moved.high, most_of(others[0])),
                         max(most_of(others[1]), most_of(others[2])));
    }
    return moved;
}

// Unit normals between four of any length, times a height.
PatchBox along_normals(vec3 a, vec3 b, vec3 c, vec3 d, float least, float most) {
    vec3 sum = a + b + c + d;
    vec3 unit = sum / max(length(sum), 1e-30);
    // Vectors between the four are at least as long as the shortest along their middle.
    float shortest = min(min(dot(a, unit), dot(b, unit)), min(dot(c, unit), dot(d, unit)));
    float longest = sqrt(max(max(dot(a, a), dot(b, b)), max(dot(c, c), dot(d, d))));
    vec3 low = vec3(-1.0);
    vec3 high = vec3(1.0);
    // `base_normal` takes very short ones for none.
    if (shortest > max(1e-6 * longest, 1e-14)) {
        vec3 from = min(min(a, b), min(c, d));
        vec3 to = max(max(a, b), max(c, d));
        low = max(min(from / shortest, from / longest), low);
        high = min(max(to / shortest, to / longest), high);
    }
    return PatchBox(min(min(low * least, low * most), min(high * least, high * most)),
                    max(max(low * least, low * most), max(high * least, high * most)));
}

// How far points of a part may lie beyond what the map says of it: texture coordinates round, and a
// point at the end of the part may take a little of the next texel.
vec3 slack_of_map(PatchRecord p, float scale) {
    uvec4 whole = bounds.values[part_number(ivec2(0), last_bounds_level())];
    vec3 worst = max(abs(least_of(whole)), abs(most_of(whole))) * abs(scale);
    vec4 u = abs(vec4(p.u_a, p.u_b, p.u_c, p.u_d));
    vec4 v = abs(vec4(p.v_a, p.v_b, p.v_c, p.v_d));
    vec4 farthest = max(u, v);
    float uv = max(max(max(farthest.x, farthest.y), max(farthest.z, farthest.w)), 1.0);
    return 2e-6 * uv * float(max(map_width, map_height)) * worst;
}

// A box around all points of a part with these corners.
PatchBox box_around(PartCorner a, PartCorner b, PartCorner c, PartCorner d, float scale,
                    vec3 beyond_map) {
    PatchBox moved =
        moved_between(min(min(a.uv, b.uv), min(c.uv, d.uv)), max(max(a.uv, b.uv), max(c.uv, d.uv)));
    vec3 least = min(moved.low * scale, moved.high * scale) - beyond_map;
    vec3 most = max(moved.low * scale, moved.high * scale) + beyond_map;
    if (along_normal != 0u) {
        PatchBox along = along_normals(a.normal, b.normal, c.normal, d.normal, least.x, most.x);
        least = along.low;
        most = along.high;
    }
    vec3 low = min(min(a.place, b.place), min(c.place, d.place)) + least;
    vec3 high = max(max(a.place, b.place), max(c.place, d.place)) + most;
    // What points lose by rounding.
    vec3 slack = 2e-6 * (max(abs(low), abs(high)) + max(abs(least), abs(most)));
    return PatchBox(low - slack, high + slack);
}

// A box around a cell of the grid of `depth`, and around the points of coarser edges that its own
// points move to.
PatchBox box_beside_edges(PatchRecord p, uvec2 cell, uint depth, PatchLevels levels, float scale,
                          vec3 beyond_map) {
    uint last = (1u << depth) - 1u;
    uvec4 step = depth - min(levels.edges, uvec4(depth)); // of ab, bc, cd, da; as powers of two
    uvec2 bits = uvec2(max(cell.y == 0u ? step.x : 0u, cell.y == last ? step.z : 0u),
                       max(cell.x == last ? step.y : 0u, cell.x == 0u ? step.w : 0u));
    uvec2 first = cell >> bits;
    float side = float(1u << depth);
    vec2 from = vec2(first << bits) / side;
    vec2 to = vec2(first + 1u << bits) / side;
    return box_around(corner_at(p, from), corner_at(p, vec2(to.x, from.y)), corner_at(p, to),
                      corner_at(p, vec2(from.x, to.y)), scale, beyond_map);
}

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

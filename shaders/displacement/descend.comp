#version 460
//! variants STORE=none,kept
// What rays hit, each by itself: where a ray meets the box of a patch it goes down the patch's quad
// tree, whose boxes come from the corners of the parts of the quad and from the least and greatest
// displacements there. Nothing is stored. No stack: nodes of a level are numbered along a Z, so the
// next one follows from the number. STORE=kept: down its tree, where trees are kept.

layout(local_size_x = 64) in;

#if STORE_kept
#include "tree.glsl"
#endif
#include "levels.glsl"
#include "invocation.glsl"

uniform sampler2D map_low;
uniform sampler2D map_high;
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
// What the map says between the two texels, least and greatest: of the four parts that cover it.
PatchBox moved_between(vec2 low_uv, vec2 high_uv) {
    ivec2 size = textureSize(map, 0);
    ivec2 last = max(size - 2, ivec2(0));
    ivec2 from = clamp(ivec2(floor(texels_along(low_uv, size))), ivec2(0), last);
    ivec2 to = clamp(ivec2(floor(texels_along(high_uv, size))), ivec2(0), last);
    // The least mip of which two parts a side are enough.
    int apart = max(to.x - from.x, to.y - from.y);
    int mip = apart > 1 ? findMSB(apart - 1) + 1 : 0;
    if (mip > 0 && all(lessThanEqual((to >> (mip - 1)) - (from >> (mip - 1)), ivec2(1)))) --mip;
    // Not by a query of the mip's size: llvmpipe answers that for one invocation of several.
    ivec2 end = max(textureSize(map_low, 0) >> mip, ivec2(1)) - 1;
    from = min(from >> mip, end);
    to = min(to >> mip, end);
    vec3 low = min(min(texelFetch(map_low, from, mip).xyz, texelFetch(map_low, to, mip).xyz),
                   min(texelFetch(map_low, ivec2(from.x, to.y), mip).xyz,
                       texelFetch(map_low, ivec2(to.x, from.y), mip).xyz));
    vec3 high = max(max(texelFetch(map_high, from, mip).xyz, texelFetch(map_high, to, mip).xyz),
                    max(texelFetch(map_high, ivec2(from.x, to.y), mip).xyz,
                        texelFetch(map_high, ivec2(to.x, from.y), mip).xyz));
    return PatchBox(low, high);
}

// A box around all points of a part of the patch.
PatchBox part_box(PatchRecord p, uvec2 cell, uint level) {
    float side = float(1u << level);
    vec2 from = vec2(cell) / side;
    vec2 to = vec2(cell + 1u) / side;
    vec2 across = vec2(to.x, from.y);
    vec2 up = vec2(from.x, to.y);
    vec3 a = base_point(p, from);
    vec3 b = base_point(p, across);
    vec3 c = base_point(p, to);
    vec3 d = base_point(p, up);
    vec2 uv_a = map_place(p, from);
    vec2 uv_b = map_place(p, across);
    vec2 uv_c = map_place(p, to);
    vec2 uv_d = map_place(p, up);
    PatchBox moved = moved_between(min(min(uv_a, uv_b), min(uv_c, uv_d)),
                                   max(max(uv_a, uv_b), max(uv_c, uv_d)));
    vec3 least = min(moved.low * params.scale, moved.high * params.scale);
    vec3 most = max(moved.low * params.scale, moved.high * params.scale);
    if (along_normal != 0u) {
        most = vec3(max(abs(least.x), abs(most.x)));
        least = -most;
    }
    vec3 low = min(min(a, b), min(c, d)) + least;
    vec3 high = max(max(a, b), max(c, d)) + most;
    // What points lose by rounding.
    vec3 slack = 2e-6 * (max(abs(low), abs(high)) + max(abs(least), abs(most)));
    return PatchBox(low - slack, high + slack);
}

uint every_second_bit(uint bits) {
    bits &= 0x5555u;
    bits = (bits | bits >> 1u) & 0x3333u;
    bits = (bits | bits >> 2u) & 0x0f0fu;
    return (bits | bits >> 4u) & 0x00ffu;
}

// Down the parts of a patch, those that lie nearer first as far as the quad is flat.
void walk_parts(PreparedRay ray, PatchRecord p, PatchLevels levels, inout PatchHit found) {
    bool from_b = dot(ray.direction, p.b - p.a + p.c - p.d) < 0.0;
    bool from_d = dot(ray.direction, p.d - p.a + p.c - p.b) < 0.0;
    bool coarse_edges = has_coarse_edges(levels);
    uint depth = 0u;
    uint number = 0u;
    while (true) {
        uint last = (1u << depth) - 1u;
        uvec2 cell = uvec2(every_second_bit(number), every_second_bit(number >> 1u));
        if (from_b) cell.x = last - cell.x;
        if (from_d) cell.y = last - cell.y;
        if (depth == levels.level) {
            meet_cell(ray, p, cell, levels, params.scale, found);
        } else {
            PatchBox box = part_box(p, cell, depth);
            if (coarse_edges) box = with_edges(box, p, cell, depth, levels, params.scale);
            if (may_hit(interval_in(ray.slabs, box.low, box.high), found.t)) {
                ++depth;
                number <<= 2u;
                continue;
            }
        }
        while (depth > 0u && (number & 3u) == 3u) {
            --depth;
            number >>= 2u;
        }
        if (depth == 0u) return;
        ++number;
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

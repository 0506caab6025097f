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
    PartsWalk walk = walk_from_top(ray, p, levels, params.scale);
    while (!walk.done) next_part(ray, p, params.scale, walk, found);
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

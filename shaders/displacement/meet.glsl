// Rays against displaced patches: what deferred and direct tracing have in common.
#ifndef DISPLACEMENT_MEET
#define DISPLACEMENT_MEET
#include "bvh/triangle.glsl"
#include "levels.glsl"

layout(constant_id = 41) const uint leaf_boxes = 0u; // 1: cells are their boxes, not two triangles

// The nearest hit on a patch so far. `cell`: twice the cell's number in its row-major grid, plus 1
// for the triangle at d; ~0 where there is none.
struct PatchHit {
    float t;
    uint cell;
    vec2 at; // each of 0 to 1 over the patch
};

void meet_cell(PreparedRay ray, PatchRecord p, uvec2 cell, PatchLevels levels, float scale,
               inout PatchHit best) {
    uint number = 2u * (cell.y * (1u << levels.level) + cell.x);
    float side = float(1u << levels.level);
    if (leaf_boxes != 0u) {
        PatchBox box = mesh_cell_box(p, cell, levels, scale);
        vec2 interval = interval_in(ray.slabs, box.low, box.high);
        float t = max(interval.x, 0.0);
        if (may_hit(interval, best.t) && (t < best.t || number < best.cell))
            best = PatchHit(t, number, (vec2(cell) + 0.5) / side);
        return;
    }
    vec3 a = mesh_point(p, cell, levels, scale);
    vec3 b = mesh_point(p, cell + uvec2(1u, 0u), levels, scale);
    vec3 c = mesh_point(p, cell + 1u, levels, scale);
    vec3 d = mesh_point(p, cell + uvec2(0u, 1u), levels, scale);
    Hit hit = Hit(best.t, best.cell, vec2(0.0), kNoInstance);
    meet_triangle(ray, a, b, c, number, hit);
    if (hit.triangle == number && best.cell != number)
        best = PatchHit(hit.t, number, (vec2(cell) + vec2(hit.barycentric.x + hit.barycentric.y,
                                                          hit.barycentric.y)) / side);
    hit = Hit(best.t, best.cell, vec2(0.0), kNoInstance);
    meet_triangle(ray, a, c, d, number + 1u, hit);
    if (hit.triangle == number + 1u && best.cell != number + 1u)
        best = PatchHit(hit.t, number + 1u,
                        (vec2(cell) + vec2(hit.barycentric.x,
                                           hit.barycentric.x + hit.barycentric.y)) / side);
}

#endif

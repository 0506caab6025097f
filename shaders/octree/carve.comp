#version 460
// Marks the nodes that the rays from the camera to its points go through, up to the one before that
// of the point.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "status.glsl"
#include "steps.glsl"

uniform Params {
    vec3 center;
    float cells_a_unit;
    vec3 eye;
    float max_range; // world units; 0: none
    uint points;
    uint miss_level;
} params;

readonly buffer Points { uvec4 values[]; } points;
layout(constant_id = 0) const uint has_count = 0u;
readonly buffer Count { uint words[]; } count;
layout(constant_id = 1) const uint has_pose = 0u;
readonly buffer Pose { vec4 columns[]; } pose; // camera to world
layout(constant_id = 2) const uint kOnce = 0u; // however many rays go through a node
buffer Misses { uint words[]; } misses;
buffer Status { TreeStatus elements[]; } status;

const uint kMaxSteps = 2048u; // llvmpipe ends loops after 65,536 rounds, those inside counted
const uint kEnough = 255u;    // no more change anything

vec3 from_corner(vec3 world) {
    return in_cells(world, params.center, params.cells_a_unit) + float(half_cells());
}

void main() {
    uint i = invocation_index();
    if (i >= params.points || (has_count != 0u && i >= count.words[0])) return;
    vec3 eye = has_pose != 0u ? pose.columns[3].xyz : params.eye;
    vec3 place = uintBitsToFloat(points.values[i].xyz);
    if (!is_finite(place) || !is_finite(eye)) return;
    float range = distance(eye, place);
    if (params.max_range > 0.0 && range > params.max_range)
        place = eye + (place - eye) * (params.max_range / range);
    vec3 cells = in_cells(place, params.center, params.cells_a_unit);
    ivec3 end_cell = is_inside(cells) ? ivec3(cell_of(cells)) : ivec3(-1);
    TreeRay ray;
    ray.origin = from_corner(eye);
    vec3 way = cells + float(half_cells()) - ray.origin;
    float reach = length(way);
    if (!(reach > 0.0)) return;
    ray.direction = way / reach;
    vec2 inside = within_root(ray);
    inside.y = min(inside.y, reach);
    if (inside.x >= inside.y) return;

    float t = inside.x;
    ivec3 cell = cell_at(ray, t);
    Visit visit = no_visit();
    for (uint k = 0u; k < kMaxSteps; ++k) {
        visit = node_of(cell, visit, params.miss_level);
        ivec3 from_low = end_cell - visit.low;
        if (all(greaterThanEqual(from_low, ivec3(0))) && all(lessThan(from_low, ivec3(visit.size))))
            return;
        // Nodes near the camera are on the way of most rays: few of these count.
        uint enough = kOnce != 0u ? 1u : kEnough;
        if (misses.words[visit.node] < enough) atomicAdd(misses.words[visit.node], 1u);
        if (!next_cell(ray, visit, cell, t) || t >= inside.y) return;
    }
    atomicAdd(status.elements[0].cut_rays, 1u);
}

#version 460
//! variants METHOD=rays,cones,printed
// A picture of an octree: by rays to the first occupied voxel, or by cones that take values from
// higher levels the wider they get.

layout(local_size_x = 8, local_size_y = 8) in;

#include "light.glsl"
#include "steps.glsl"

uniform Params {
    vec3 center;
    float cells_a_unit;
    vec3 eye;     // world units
    vec3 forward; // of a ray through the middle of the picture; from there ...
    vec3 right;   // ... to its right side
    vec3 down;    // ... and to its lower one
    vec4 background;
    float near_plane;
    float far_plane;
    float spread;       // cells that a texel is wide, for each cell of distance
    float max_length;   // cells
    float step_length;  // of printed cones, in voxels
    float opaque_alpha; // of a voxel that nothing is seen through
    float lit;
    uint deepest;
    uint threshold;
} params;

layout(constant_id = 0) const uint has_behind = 0u;
layout(constant_id = 1) const uint has_behind_depth = 0u;
uniform sampler2D behind;
uniform sampler2D behind_depth; // clip space
writeonly uniform image2D result;
writeonly uniform image2D depth;

// llvmpipe ends loops after 65,536 rounds, those inside counted.
const uint kMaxSteps = 3072u;
const float kOpaque = 1.0 / 512.0; // what is let through by what counts as opaque

// In front-to-back order: what is seen so far, and what is let through.
struct Seen {
    vec3 color;
    float through;
    float t; // where half is stopped; below 0: nowhere
};

void blend(inout Seen seen, vec3 color, float opacity, float t) {
    seen.color += seen.through * opacity * color;
    seen.through *= 1.0 - opacity;
    if (seen.t < 0.0 && seen.through < 0.5) seen.t = t;
}

// The level whose voxels are as wide as a texel there.
uint level_at(float t) {
    float level = ceil(log2(float(root_cells()) / (max(t, 1e-20) * params.spread)));
    return uint(clamp(level, 1.0, float(params.deepest)));
}

bool is_occupied(Visit visit) {
    return visit.words.y >> 24u > params.threshold;
}

#if METHOD_rays
Seen look(TreeRay ray, float t, float end) {
    Seen seen = Seen(vec3(0.0), 1.0, -1.0);
    ivec3 cell = cell_at(ray, t);
    Visit visit = no_visit();
    for (uint i = 0u; i < kMaxSteps; ++i) {
        visit = node_of(cell, visit, params.deepest);
        if (is_occupied(visit)) {
            // The face that the ray comes in through: the one that is farthest along it.
            vec3 inverse = 1.0 / ray.direction;
            vec3 near_face = vec3(visit.low) + mix(vec3(0.0), vec3(visit.size),
                                                   lessThan(ray.direction, vec3(0.0)));
            vec3 at = (near_face - ray.origin) * inverse;
            at = mix(at, vec3(-3e38), equal(ray.direction, vec3(0.0)));
            uint axis = at.x > at.y ? at.x > at.z ? 0u : 2u : at.y > at.z ? 1u : 2u;
            float light = mix(1.0, face_light(axis, ray.direction[axis] < 0.0), params.lit);
            blend(seen, color_of(visit.words.y) * light, 1.0, t);
            return seen;
        }
        if (!next_cell(ray, visit, cell, t) || t >= end) break;
    }
    return seen;
}
#elif METHOD_cones
// How opaque a voxel is for a ray of its own length.
float opacity_of(Visit visit) {
    float alpha = float(visit.words.y >> 24u) - float(params.threshold);
    return clamp(alpha / (params.opaque_alpha - float(params.threshold)), 0.0, 1.0);
}

// From voxel to voxel, each as opaque as the ray is long in it.
Seen look(TreeRay ray, float t, float end) {
    Seen seen = Seen(vec3(0.0), 1.0, -1.0);
    ivec3 cell = cell_at(ray, t);
    Visit visit = no_visit();
    for (uint i = 0u; i < kMaxSteps; ++i) {
        visit = node_of(cell, visit, level_at(t));
        float entered = t;
        bool goes_on = next_cell(ray, visit, cell, t);
        if (is_occupied(visit)) {
            float part = max(min(t, end) - entered, 0.0) / float(visit.size);
            float lets_through = 1.0 - opacity_of(visit);
            float opacity = lets_through > 0.0 ? 1.0 - pow(lets_through, part)
                                               : float(part > 0.0);
            blend(seen, color_of(visit.words.y), opacity, entered);
            if (seen.through < kOpaque) break;
        }
        if (!goes_on || t >= end) break;
    }
    return seen;
}
#else
// As printed: samples a voxel apart, whose alpha is their opacity.
Seen look(TreeRay ray, float t, float end) {
    Seen seen = Seen(vec3(0.0), 1.0, -1.0);
    Visit visit = no_visit();
    for (uint i = 0u; i < kMaxSteps && t < end; ++i) {
        uint level = level_at(t);
        visit = node_of(cell_at(ray, t), visit, level);
        if (is_occupied(visit)) {
            blend(seen, color_of(visit.words.y), float(visit.words.y >> 24u) / 255.0, t);
            if (seen.through < kOpaque) break;
        }
        t += params.step_length * float(1u << kDepth - level);
    }
    return seen;
}
#endif

float clip_depth(float z) {
    return params.far_plane / (params.far_plane - params.near_plane) * (1.0 - params.near_plane / z);
}

// How deep in the view a point with that depth is.
float view_depth(float clip) {
    float far = params.far_plane;
    return far * params.near_plane / max(far - clip * (far - params.near_plane), 1e-20);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 clip = (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0;
    vec3 towards = normalize(params.forward + clip.x * params.right + clip.y * params.down);
    float deeper = dot(towards, params.forward) / params.cells_a_unit; // for each cell
    TreeRay ray;
    ray.origin = (params.eye - params.center) * params.cells_a_unit + float(half_cells());
    ray.direction = towards;

    float other = has_behind_depth != 0u ? texelFetch(behind_depth, texel, 0).r : 1.0;
    vec4 around = has_behind != 0u ? texelFetch(behind, texel, 0) : params.background;
    vec2 inside = within_root(ray);
    inside.x = max(inside.x, params.near_plane / deeper);
    inside.y = min(inside.y, params.max_length);
    if (other < 1.0) inside.y = min(inside.y, view_depth(other) / deeper);
    Seen seen = Seen(vec3(0.0), 1.0, -1.0);
    if (inside.x < inside.y) seen = look(ray, inside.x, inside.y);
    float at = seen.t < 0.0 ? 1.0 : clamp(clip_depth(seen.t * deeper), 0.0, 1.0);
    imageStore(depth, texel, vec4(min(at, other)));
    imageStore(result, texel,
               vec4(seen.color + seen.through * around.rgb, mix(1.0, around.a, seen.through)));
}

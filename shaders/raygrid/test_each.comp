#version 460
//! variants ATOMICS=0,1,2
#if ATOMICS == 1
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
// Tests the rays of cells against the triangles of cells, an invocation for each ray and few
// triangles, or for each triangle and all rays: units of all cells one behind the other, in which
// each invocation searches for its own.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint room;
    uint entries;
    uint ray_bits;
    uint triangle_bits;
    uvec3 dims;
} params;

#include "bvh/triangle.glsl"
#include "record.glsl"
#include "runs.glsl"

layout(constant_id = 46) const uint with_work = 0u;
// Copies of rays in the order of links.
layout(constant_id = 47) const uint has_link_copies = 0u;
layout(constant_id = 48) const uint has_link_packed = 0u;

readonly buffer UnitsBefore { uint values[]; } units_before;
readonly buffer UnitCount { uint word; } unit_count;
readonly buffer RoundTests { uint words[2]; } round_tests;
readonly buffer LinkRays { uint values[]; } link_rays;
readonly buffer LinkCopies { uvec4 quads[]; } link_copies; // two a link
readonly buffer LinkPacked { uint words[]; } link_packed;   // three a link
readonly buffer List { uint values[]; } list;
readonly buffer Leaves { uvec4 quads[]; } leaves;
buffer Work { uint words[]; } work;

#include "packed.glsl"

shared uvec2 run_bounds; // of the group

// The last run from `first` on, of `count`, that begins at `unit` or before.
uint run_of(uint unit, uint first, uint count) {
    while (count > 1u) {
        uint half_count = count / 2u;
        if (units_before.values[first + half_count] <= unit) first += half_count;
        count -= half_count;
    }
    return first;
}

void test_triangle(PreparedRay ray, uint entry, inout Hit hit) {
    uint quad = 3u * list.values[entry];
    uvec4 a = leaves.quads[quad];
    meet_triangle(ray, uintBitsToFloat(a.xyz), uintBitsToFloat(leaves.quads[quad + 1u].xyz),
                  uintBitsToFloat(leaves.quads[quad + 2u].xyz), a.w, hit);
}

Ray ray_of_link(uint link, uint slot) {
    if (has_link_copies == 0u) return fetch_ray(slot);
    uvec4 a = link_copies.quads[2u * link];
    uvec4 b = link_copies.quads[2u * link + 1u];
    return Ray(uintBitsToFloat(a.xyz), uintBitsToFloat(a.w), uintBitsToFloat(b.xyz), b.w);
}

vec3 in_cell(uint quad, ivec3 cell) {
    precise vec3 from = uintBitsToFloat(leaves.quads[quad].xyz) - frame.rows[0].xyz;
    return from * frame.rows[1].xyz - vec3(cell);
}

// Whether the packed ray's line meets the triangle (Moeller and Trumbore 1997).
bool may_meet(PackedRay ray, ivec3 cell, uint triangle) {
    vec3 a = in_cell(3u * triangle, cell);
    vec3 ab = in_cell(3u * triangle + 1u, cell) - a;
    vec3 ac = in_cell(3u * triangle + 2u, cell) - a;
    vec3 from = ray.origin - a;
    vec3 p = cross(ray.direction, ac);
    float determinant = dot(ab, p);
    float b = dot(from, p) / determinant;
    float c = dot(ray.direction, cross(from, ab)) / determinant;
    return b >= 0.0 && c >= 0.0 && b + c <= 1.0;
}

void test_link(uint link, uint first_entry, uint end_entry, uint key) {
    uint slot = link_rays.values[link];
    Hit known = known_hit(slot);
    if (any != 0u && known.triangle != kNoTriangle) return;
    Hit hit = known;
    if (has_link_packed != 0u) {
        PackedRay packed_ray = unpack_ray(uvec3(
            link_packed.words[3u * link], link_packed.words[3u * link + 1u],
            link_packed.words[3u * link + 2u]));
        ivec3 cell = cell_of(key, params.dims);
        for (uint entry = first_entry; entry < end_entry; ++entry) {
            if (!may_meet(packed_ray, cell, list.values[entry])) continue;
            test_triangle(prepare(fetch_ray(slot)), entry, hit);
        }
    } else {
        PreparedRay ray = prepare(ray_of_link(link, slot));
        for (uint entry = first_entry; entry < end_entry; ++entry) test_triangle(ray, entry, hit);
    }
    if (hit.t < known.t || hit.triangle != known.triangle) offer_hit(slot, hit);
#if ATOMICS == 0
    if (with_work != 0u && phase == 0u)
#else
    if (with_work != 0u)
#endif
        atomicAdd(work.words[4u * slot + 1u], end_entry - first_entry);
}

void main() {
    uint group_first = group_index() * gl_WorkGroupSize.x;
    uint lane = gl_LocalInvocationIndex;
    uint runs = clamped_runs(params.room);
    uint units = unit_count.word;
    if (lane < 2u && runs > 0u && units > 0u) {
        uint unit = min(group_first + lane * (gl_WorkGroupSize.x - 1u), units - 1u);
        run_bounds[lane] = run_of(unit, 0u, runs);
    }
    barrier();
    uint unit = group_first + lane;
    if (unit >= units || runs == 0u) return;
    uint first_run = run_bounds[0];
    uint number = run_of(unit, first_run, run_bounds[1] - first_run + 1u);
    Run run = run_at(number, params.room, params.entries);
    uint bits =
        triangle_bits_for(params.triangle_bits, round_tests.words[0], round_tests.words[1]);
    uint within = unit - units_before.values[number];
    // Neighbours have different rays and the same triangles.
    uint ray_parts = parts_of(run.rays, params.ray_bits);
    uint first_ray = within % ray_parts << params.ray_bits;
    uint first_triangle = within / ray_parts << bits;
    uint end_ray = first_ray + min(run.rays - first_ray, 1u << params.ray_bits);
    uint end_triangle = first_triangle + min(run.triangles - first_triangle, 1u << bits);
    for (uint i = first_ray; i < end_ray; ++i)
        test_link(run.first_link + i, run.first_entry + first_triangle,
                  run.first_entry + end_triangle, run.key);
}

#version 460
//! variants ATOMICS=0,1,2
#if ATOMICS == 1
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
// Tests the rays of cells against the triangles of cells: a group has some rays of a cell, one an
// invocation, and goes through the triangles, which it shares. Each ray's best hit is in registers
// until the end.

layout(local_size_x = 32) in;

#include "invocation.glsl"

uniform Params {
    uint room;
    uint entries;
    uint ray_bits; // of the group's size
    uint triangle_bits;
} params;

#include "bvh/triangle.glsl"
#include "record.glsl"
#include "runs.glsl"

layout(constant_id = 46) const uint with_work = 0u;

readonly buffer UnitsBefore { uint values[]; } units_before;
readonly buffer UnitCount { uint word; } unit_count;
readonly buffer RoundTests { uint words[2]; } round_tests;
readonly buffer LinkRays { uint values[]; } link_rays;
readonly buffer List { uint values[]; } list;
readonly buffer Leaves { uvec4 quads[]; } leaves;
buffer Work { uint words[]; } work;

const uint kStaged = gl_WorkGroupSize.x;
shared uvec4 staged[3][kStaged];

shared uint not_behind;

// The run that the group's unit is of: the last that begins at it or before. Each invocation tries
// another place, so that few steps wait for memory.
uint run_of(uint unit, uint count) {
    const uint kLanes = gl_WorkGroupSize.x;
    uint lane = gl_LocalInvocationIndex;
    uint first = 0u;
    while (count > 1u) {
        uint stride = (count + kLanes - 1u) / kLanes;
        barrier();
        if (lane == 0u) not_behind = 0u;
        barrier();
        if (lane * stride < count && units_before.values[first + lane * stride] <= unit)
            atomicAdd(not_behind, 1u);
        barrier();
        uint skipped = (not_behind - 1u) * stride;
        first += skipped;
        count = min(stride, count - skipped);
    }
    return first;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint runs = clamped_runs(params.room);
    uint unit = group_index();
    if (runs == 0u || unit >= unit_count.word) return;
    uint number = run_of(unit, runs);
    Run run = run_at(number, params.room, params.entries);
    uint bits =
        triangle_bits_for(params.triangle_bits, round_tests.words[0], round_tests.words[1]);
    uint within = unit - units_before.values[number];
    uint ray_parts = parts_of(run.rays, params.ray_bits);
    uint link = (within % ray_parts << params.ray_bits) + lane;
    uint first = within / ray_parts << bits;
    uint end = first + min(run.triangles - first, 1u << bits);
    bool has_ray = link < run.rays;
    uint slot = has_ray ? link_rays.values[run.first_link + link] : 0u;
    Ray ray = fetch_ray(slot);
    PreparedRay prepared = prepare(ray);
    Hit known = known_hit(slot);
    if (any != 0u && known.triangle != kNoTriangle) has_ray = false;
    Hit hit = known;
    for (uint base = first; base < end; base += kStaged) {
        barrier();
        if (base + lane < end) {
            uint quad = 3u * list.values[run.first_entry + base + lane];
            for (uint k = 0u; k < 3u; ++k) staged[k][lane] = leaves.quads[quad + k];
        }
        barrier();
        uint count = has_ray ? min(kStaged, end - base) : 0u;
        for (uint k = 0u; k < count; ++k)
            meet_triangle(prepared, uintBitsToFloat(staged[0][k].xyz),
                          uintBitsToFloat(staged[1][k].xyz), uintBitsToFloat(staged[2][k].xyz),
                          staged[0][k].w, hit);
    }
    if (!has_ray) return;
    if (hit.t < known.t || hit.triangle != known.triangle) offer_hit(slot, hit);
#if ATOMICS == 0
    if (with_work != 0u && phase == 0u)
#else
    if (with_work != 0u)
#endif
        atomicAdd(work.words[4u * slot + 1u], end - first);
}

#version 460
//! variants ATOMICS=0,1
#if ATOMICS == 1
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
// Tests the rays of cells against the triangles of cells where rays are in linked lists: an invocation
// takes a triangle of a cell and goes through the list. The chapter's simple way, for comparison:
// neighbours have lists of other lengths, and links of one list lie anywhere.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint room;    // for links
    uint entries; // that lists of triangles have room for
    uint cells;
} params;

#include "bvh/triangle.glsl"
#include "cast_status.glsl"
#include "record.glsl"

layout(constant_id = 46) const uint with_work = 0u;

readonly buffer ActiveCount { uint word; } active_count;
readonly buffer LinkCount { uint word; } link_count;
readonly buffer FirstLinks { uint values[]; } first_links; // of each cell
readonly buffer NextLinks { uint values[]; } next_links;
readonly buffer LinkRays { uint values[]; } link_rays;
readonly buffer Starts { uint values[]; } starts; // of the lists of triangles, one more than cells
readonly buffer List { uint values[]; } list;
readonly buffer Leaves { uvec4 quads[]; } leaves;
buffer Work { uint words[]; } work;

shared uint group_tests;

// The last cell whose triangles begin at `entry` or before.
uint cell_of_entry(uint entry) {
    uint first = 0u;
    uint count = params.cells;
    while (count > 1u) {
        uint half_count = count / 2u;
        if (starts.values[first + half_count] <= entry) first += half_count;
        count -= half_count;
    }
    return first;
}

// The number of tests.
uint go_through_list(uint entry) {
    uint quad = 3u * list.values[entry];
    uvec4 a = leaves.quads[quad];
    vec3 b = uintBitsToFloat(leaves.quads[quad + 1u].xyz);
    vec3 c = uintBitsToFloat(leaves.quads[quad + 2u].xyz);
    uint link = first_links.values[cell_of_entry(entry)];
    uint tests = 0u;
    while (link < params.room) {
        uint slot = link_rays.values[link];
        link = next_links.values[link];
        ++tests;
#if ATOMICS == 0
        if (with_work != 0u && phase == 0u)
#else
        if (with_work != 0u)
#endif
            atomicAdd(work.words[4u * slot + 1u], 1u);
        Hit known = known_hit(slot);
        if (any != 0u && known.triangle != kNoTriangle) continue;
        Hit hit = known;
        meet_triangle(prepare(fetch_ray(slot)), uintBitsToFloat(a.xyz), b, c, a.w, hit);
        if (hit.t < known.t || hit.triangle != known.triangle) offer_hit(slot, hit);
    }
    return tests;
}

void main() {
    uint i = invocation_index();
    if (gl_LocalInvocationIndex == 0u) group_tests = 0u;
    barrier();
    uint end = min(starts.values[params.cells], params.entries);
    if (i < end) atomicAdd(group_tests, go_through_list(i));
    barrier();
#if ATOMICS == 0
    if (phase != 0u) return;
#endif
    if (gl_LocalInvocationIndex == 0u && group_tests != 0u) {
        uint before = atomicAdd(cast_status.tests[0], group_tests);
        atomicAdd(cast_status.tests[1], uint(before + group_tests < before));
    }
    if (i == 0u) {
        uint links = min(link_count.word, params.room);
        uint before = atomicAdd(cast_status.links[0], links);
        atomicAdd(cast_status.links[1], uint(before + links < before));
        atomicAdd(cast_status.in_rounds, active_count.word);
    }
}

#version 460
// Walks each ray alone through the cells and tries their triangles, as tracers of grids in the
// order of rays do: for comparison, and for the rays that are left behind the last round.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uvec3 dims;
    uint rays; // at most
    uint entries;
    uint any;
} params;

#include "bvh/triangle.glsl"
#include "march.glsl"
#include "cast_status.glsl"

readonly buffer ActiveCount { uint word; } active_count;
readonly buffer Active { uint values[]; } active_rays;
readonly buffer Places { uvec2 values[]; } places;
readonly buffer Starts { uint values[]; } starts;
readonly buffer List { uint values[]; } list;
readonly buffer Leaves { uvec4 quads[]; } leaves;
buffer Best { uvec2 values[]; } best;
buffer Work { uvec4 values[]; } work;
layout(constant_id = 1) const uint with_work = 0u;

void main() {
    uint i = invocation_index();
    uint count = min(active_count.word, params.rays);
    if (i == 0u) cast_status.walked = count;
    if (i >= count) return;
    uint slot = active_rays.values[i];
    Ray ray = fetch_ray(slot);
    GridRay in_grid = grid_ray(ray);
    Steps steps = steps_of(in_grid);
    PreparedRay prepared = prepare(ray);
    uvec2 saved = places.values[slot];
    Place place = Place(unpacked_cell(saved.x), uintBitsToFloat(saved.y));
    uvec2 known = best.values[slot];
    Hit hit = Hit(uintBitsToFloat(known[kBestT]), known[kBestTriangle], vec2(0.0), kNoInstance);
    uint cells = 0u;
    uint tests = 0u;
    bool goes = true;
    while (goes && place.s <= limit_of(in_grid, hit.t)) {
        Seen seen = look_at(params.dims, place.cell);
        if (seen.occupied) {
            uint key = key_of(uvec3(place.cell), params.dims);
            uint end = min(starts.values[key + 1u], params.entries);
            for (uint entry = min(starts.values[key], params.entries); entry < end; ++entry) {
                uint quad = 3u * list.values[entry];
                uvec4 a = leaves.quads[quad];
                meet_triangle(prepared, uintBitsToFloat(a.xyz),
                              uintBitsToFloat(leaves.quads[quad + 1u].xyz),
                              uintBitsToFloat(leaves.quads[quad + 2u].xyz), a.w, hit);
                ++tests;
            }
            ++cells;
            if (params.any != 0u && hit.triangle != kNoTriangle) break;
        }
        goes = step_over(in_grid, steps, params.dims, seen.box, place);
    }
    uvec2 words;
    words[kBestTriangle] = hit.triangle;
    words[kBestT] = hit.t == 0.0 ? 0u : floatBitsToUint(hit.t);
    best.values[slot] = words;
    if (with_work != 0u) work.values[slot] += uvec4(cells, tests, 0u, 1u);
}

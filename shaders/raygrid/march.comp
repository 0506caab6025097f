#version 460
#extension GL_KHR_shader_subgroup_ballot : require
// Marches rays through the grid and puts them into the occupied cells that they come through, as
// many as the budget says: links of a cell's number and a ray's.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint mode = 0u;
const uint kCounts = 0u;  // the links of each ray
// 1: them, at the places that the counts give; 2: at any places

uniform Params {
    uvec3 dims;
    uint rays; // at most
    uint room; // for links
} params;

#include "march.glsl"

readonly buffer ActiveCount { uint word; } active_count;
readonly buffer Active { uint values[]; } active_rays;
readonly buffer Best { uint words[]; } best;
readonly buffer Budget { uint word; } budget; // links that a ray may have
buffer LinkCount { uint word; } link_count;
buffer Places { uvec2 values[]; } places;
writeonly buffer Counts { uint values[]; } counts;
layout(constant_id = 2) const uint has_offsets = 0u;
readonly buffer Offsets { uint values[]; } offsets;
writeonly buffer LinkKeys { uint values[]; } link_keys;
writeonly buffer LinkRays { uint values[]; } link_rays;
buffer Work { uvec4 values[]; } work;
layout(constant_id = 1) const uint with_work = 0u;

// A place for a link. The lanes that come here together ask once.
uint append_place() {
    uvec4 lanes = subgroupBallot(true);
    uint first = 0u;
    if (subgroupElect()) first = atomicAdd(link_count.word, subgroupBallotBitCount(lanes));
    return subgroupBroadcastFirst(first) + subgroupBallotExclusiveBitCount(lanes);
}

void main() {
    uint i = invocation_index();
    if (i >= min(active_count.word, params.rays)) return;
    uint slot = active_rays.values[i];
    GridRay ray = grid_ray(fetch_ray(slot));
    uvec2 saved = places.values[slot];
    Place place = Place(unpacked_cell(saved.x), uintBitsToFloat(saved.y));
    float limit = limit_of(ray, uintBitsToFloat(best.words[2u * slot + kBestT]));
    uint most = budget.word;
    uint links = 0u;
    bool goes = true;
    while (goes && links < most) {
        goes = find_occupied(ray, params.dims, limit, place);
        if (!goes) break;
        if (mode != kCounts) {
            uint at = has_offsets != 0u ? offsets.values[i] + links : append_place();
            if (at < params.room) {
                link_keys.values[at] = key_of(uvec3(place.cell), params.dims);
                link_rays.values[at] = slot;
            }
        }
        ++links;
        goes = leave_cell(ray, params.dims, place);
    }
    if (mode == kCounts) {
        counts.values[i] = links;
        return;
    }
    places.values[slot] =
        goes ? uvec2(packed_cell(place.cell), floatBitsToUint(place.s)) : uvec2(kEnded, 0u);
    if (with_work != 0u) {
        work.values[slot].x += links;
        work.values[slot].z += 1u;
    }
}

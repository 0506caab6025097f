#version 460
#extension GL_EXT_control_flow_attributes : require
// Marches rays through the grid and puts them into the occupied cells that they come through, as
// many as the budget says: links of a cell's number and a ray's.

layout(local_size_x = 64) in;

#include "invocation.glsl"

// What becomes of links. They are counted, of each ray or of each cell, or they are written: where the
// counts of rays say, anywhere, where the counts of cells say, or anywhere in linked lists of cells.
const uint kCountsOfRays = 0u;
const uint kByRays = 1u;
const uint kAppends = 2u;
const uint kCountsOfCells = 3u;
const uint kByCells = 4u;
const uint kLists = 5u;
layout(constant_id = 0) const uint mode = 0u;
layout(constant_id = 3) const uint persistent = 0u; // 1: groups take rays until there are no more

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
buffer LinkCount { uint word; uint batches[2]; } link_count; // batches: of rays, that are taken
buffer Places { uvec2 values[]; } places;
buffer Counts { uint values[]; } counts; // of rays or cells; or the first link of each cell
layout(constant_id = 2) const uint has_offsets = 0u;
readonly buffer Offsets { uint values[]; } offsets; // sums of the counts
writeonly buffer LinkKeys { uint values[]; } link_keys; // of lists: the next link
writeonly buffer LinkRays { uint values[]; } link_rays;
buffer Work { uvec4 values[]; } work;
layout(constant_id = 1) const uint with_work = 0u;

// Links that have no place yet wait in shared memory, so that the group asks for places together
// and writes neighbours together.
const bool kStages = mode == kAppends || mode == kLists;
const uint kBatch = 8u; // of a ray, that wait
const uint kLanes = gl_WorkGroupSize.x;

shared uint staged_cells[kBatch * kLanes]; // packed; link k of lane i at k * kLanes + i; then without gaps
shared uint staged_slots[kBatch * kLanes];
shared uint group_links;
shared uint group_first;
shared uint group_goes;

void put_link(uint at, ivec3 cell, uint slot) {
    uint key = key_of(uvec3(cell), params.dims);
    if (mode == kByCells)
        at = offsets.values[key] + atomicAdd(counts.values[key], 0xffffffffu) - 1u;
    if (at >= params.room) return;
    link_keys.values[at] = mode == kLists ? atomicExchange(counts.values[key], at) : key;
    link_rays.values[at] = slot;
}

// Puts the links that wait where there is room: one atomic operation on memory a group. Says
// whether any invocation `goes` on.
bool put_staged(uint found, uint slot, bool goes) {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) {
        group_links = 0u;
        group_goes = 0u;
    }
    barrier();
    uint cells[kBatch];
    [[unroll]] for (uint k = 0u; k < kBatch; ++k)
        cells[k] = k < found ? staged_cells[k * kLanes + lane] : 0u;
    uint before = found != 0u ? atomicAdd(group_links, found) : 0u;
    if (goes) atomicOr(group_goes, 1u);
    barrier();
    uint total = group_links;
    bool any_goes = group_goes != 0u;
    if (lane == 0u && total != 0u) group_first = atomicAdd(link_count.word, total);
    [[unroll]] for (uint k = 0u; k < kBatch; ++k)
        if (k < found) {
            staged_cells[before + k] = cells[k];
            staged_slots[before + k] = slot;
        }
    barrier();
    for (uint j = lane; j < total; j += kLanes)
        put_link(group_first + j, unpacked_cell(staged_cells[j]), staged_slots[j]);
    barrier();
    return any_goes;
}

shared uint group_batch;

uint next_batch() {
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        group_batch = atomicAdd(link_count.batches[mode == kByRays || mode == kByCells ? 1 : 0], 1u);
    barrier();
    return group_batch;
}

// The whole group comes here, also for rays that are not there.
void march(uint i, bool is_active) {
    uint slot = is_active ? active_rays.values[i] : 0u;
    GridRay ray = grid_ray(fetch_ray(slot));
    Steps steps = steps_of(ray);
    uvec2 saved = places.values[slot];
    Place place = Place(unpacked_cell(saved.x), uintBitsToFloat(saved.y));
    float limit = limit_of(ray, uintBitsToFloat(best.words[2u * slot + kBestT]));
    uint most = budget.word;
    uint first = mode == kByRays && has_offsets != 0u && is_active ? offsets.values[i] : 0u;
    uint links = 0u;
    bool goes = is_active;
    bool group_has_more;
    do {
        uint found = 0u;
        uint stop = kStages ? min(kBatch, most - links) : most;
        while (goes && found < stop && place.s <= limit) {
            Seen seen = look_at(params.dims, place.cell);
            if (seen.occupied) {
                if (kStages)
                    staged_cells[found * kLanes + gl_LocalInvocationIndex] = packed_cell(place.cell);
                else if (mode == kCountsOfCells)
                    atomicAdd(counts.values[key_of(uvec3(place.cell), params.dims)], 1u);
                else if (mode != kCountsOfRays)
                    put_link(first + found, place.cell, slot);
                ++found;
            }
            goes = step_over(ray, steps, params.dims, seen.box, place);
        }
        links += found;
        goes = goes && place.s <= limit;
        group_has_more = kStages && put_staged(found, slot, goes && links < most);
    } while (group_has_more);
    if (!is_active) return;
    if (mode == kCountsOfRays) counts.values[i] = links;
    if (mode == kCountsOfRays || mode == kCountsOfCells) return;
    places.values[slot] =
        goes ? uvec2(packed_cell(place.cell), floatBitsToUint(place.s)) : uvec2(kEnded, 0u);
    if (with_work != 0u) {
        work.values[slot].x += links;
        work.values[slot].z += 1u;
    }
}

void main() {
    uint count = min(active_count.word, params.rays);
    if (persistent == 0u) {
        uint i = invocation_index();
        march(i, i < count);
        return;
    }
    for (uint batch = next_batch(); batch * kLanes < count; batch = next_batch()) {
        uint i = batch * kLanes + gl_LocalInvocationIndex;
        march(i, i < count);
    }
}

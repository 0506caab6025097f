#version 460
// The spheres that may be seen through each tile, in their order: a group a tile.

layout(local_size_x = 256) in;

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint spheres;
    uint tile;
    uint tiles_per_row;
    uint parent_scale;
    uint parents_per_row;
    uint parent_entries;
    uint entries;
} params;

#include "view.glsl"
#include "tiles.glsl"

layout(constant_id = 1) const uint kReports = 0u;

readonly buffer Counts { uint values[]; } counts;
readonly buffer Starts { uint values[]; } starts;
writeonly buffer Lists { uint values[]; } lists;
#include "status.glsl"

const uint kWords = 8u;
shared uint met[kWords]; // a bit an invocation

void main() {
    uvec2 tile = gl_WorkGroupID.xy;
    uint number = tile_number();
    uint start = starts.values[number];
    uint end = start + counts.values[number];
    bool reporter = kReports != 0u && gl_LocalInvocationIndex == 0u;
    if (reporter) atomicMax(status.tile_entries_needed, end);
    if (end > params.entries) { // users of the list find that it cannot be there
        if (reporter) atomicAdd(status.tiles_without_room, 1u);
        return;
    }
    Pyramid pyramid = pyramid_of(tile);
    Candidates candidates = candidates_of(tile);
    uint word = gl_LocalInvocationIndex >> 5u;
    uint bit = gl_LocalInvocationIndex & 31u;
    for (uint first = 0u; first < candidates.count; first += gl_WorkGroupSize.x) {
        if (gl_LocalInvocationIndex < kWords) met[gl_LocalInvocationIndex] = 0u;
        barrier();
        uint i = first + gl_LocalInvocationIndex;
        bool meets = false;
        uint sphere = 0u;
        if (i < candidates.count) {
            sphere = candidate(candidates, i);
            meets = may_meet(pyramid, balls.values[sphere]);
        }
        if (meets) atomicOr(met[word], 1u << bit);
        barrier();
        uint before = 0u;
        uint all = 0u;
        for (uint w = 0u; w < kWords; ++w) {
            uint ones = uint(bitCount(met[w]));
            if (w < word) before += ones;
            all += ones;
        }
        before += uint(bitCount(met[word] & ((1u << bit) - 1u)));
        if (meets && start + before < end) lists.values[start + before] = sphere;
        start += all;
        barrier();
    }
}

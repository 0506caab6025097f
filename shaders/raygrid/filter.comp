#version 460
// Which rays go on: those that are still in the grid and may find a nearer hit than they have. A
// triangle may be hit far behind the cell in which the ray met it, so a hit ends a ray only once
// all cells before it have been tried.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint rays; // at most
    uint any;  // 1: a ray ends with its first hit
} params;

#include "rays.glsl"

readonly buffer ActiveCount { uint word; } active_count;
readonly buffer Active { uint values[]; } active_rays;
readonly buffer Best { uint words[]; } best;
readonly buffer Places { uvec2 values[]; } places;
writeonly buffer Alive { uint values[]; } alive;

void main() {
    uint i = invocation_index();
    if (i >= min(active_count.word, params.rays)) return;
    uint slot = active_rays.values[i];
    uvec2 place = places.values[slot];
    bool hit = best.words[2u * slot + kBestTriangle] != kNoTriangle;
    bool goes = place.x != kEnded && !(params.any != 0u && hit);
    if (goes) {
        float t = uintBitsToFloat(best.words[2u * slot + kBestT]);
        goes = uintBitsToFloat(place.y) <= limit_of(grid_ray(fetch_ray(slot)), t);
    }
    alive.values[i] = uint(goes);
}

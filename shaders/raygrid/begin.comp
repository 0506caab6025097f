#version 460
// Begins the march of each ray: where it comes into the grid, and that it has hit nothing.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_queue = 0u;

uniform Params {
    uvec3 dims;
    uint rays;
} params;

#include "rays.glsl"

readonly buffer Queue { uint values[]; } queue; // rays that there are
readonly buffer QueueLength { uint word; } queue_length;
writeonly buffer Best { uvec2 values[]; } best;
writeonly buffer Places { uvec2 values[]; } places;
writeonly buffer Alive { uint values[]; } alive;

void main() {
    uint i = invocation_index();
    uint count = has_queue != 0u ? min(queue_length.word, params.rays) : params.rays;
    if (i >= count) return;
    uint slot = has_queue != 0u ? queue.values[i] : i;
    Ray ray = fetch_ray(slot);
    Place place;
    bool goes = is_proper_ray(ray) && enter_grid(grid_ray(ray), params.dims, place);
    best.values[slot] = uvec2(kNoTriangle, floatBitsToUint(ray.t_max));
    places.values[slot] =
        goes ? uvec2(packed_cell(place.cell), floatBitsToUint(place.s)) : uvec2(kEnded, 0u);
    alive.values[i] = uint(goes);
}

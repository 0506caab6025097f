#version 460
// Takes half of what going forth and back changed off a dye that was carried forth, within the
// values around the place that it came from.

layout(local_size_x = 16, local_size_y = 16) in;

#include "fluid/carried.glsl"
#include "fluid/dye_change.glsl"

readonly buffer Forth { vec4 cells[]; } forth;
writeonly buffer After { vec4 cells[]; } after;

struct Corners {
    ivec3 low;
    vec3 share;
};

Corners corners_of(vec3 place) {
    vec3 from = clamp(place, -vec3(params.dye_dims), 2.0 * vec3(params.dye_dims)) - 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    if (is_flat()) corner.z = share.z = 0.0;
    return Corners(ivec3(corner), share);
}

vec4 corrected(ivec3 cell) {
    vec3 middle = vec3(cell) + 0.5;
    int count = is_flat() ? 4 : 8;
    vec4 carried = forth.cells[dye_index(cell)];

    Corners ahead = corners_of(traced(middle, -params.dt));
    vec4 back = vec4(0.0);
    float all = 0.0;
    for (int i = 0; i < count; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - ahead.share, ahead.share, vec3(side));
        float weight = part.x * part.y * part.z;
        uvec2 found = dye_place(ahead.low + side);
        if (found.y == 1u) back += weight * forth.cells[found.x];
        if (found.y != 0u) all += weight;
    }
    if (!(all > 1e-6)) return carried;
    back /= all;

    Corners behind = corners_of(traced(middle, params.dt));
    vec4 least = vec4(1e30);
    vec4 most = vec4(-1e30);
    for (int i = 0; i < count; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        uvec2 found = dye_place(behind.low + side);
        if (found.y == 0u) continue;
        vec4 value = found.y == 1u ? before.cells[found.x] : vec4(0.0);
        least = min(least, value);
        most = max(most, value);
    }
    vec4 result = carried + 0.5 * (before.cells[dye_index(cell)] - back);
    return least.x <= most.x ? clamp(result, least, most) : carried;
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dye_dims))) return;
    vec4 dye = vec4(0.0);
    if (!is_obstacle(flow_cell(cell)))
        dye = changed(cell, params.from_nothing != 0u ? vec4(0.0) : corrected(cell));
    after.cells[dye_index(cell)] = dye;
}

#version 460
// Carries a dye with a flow: looked up where the flow came from.

layout(local_size_x = 16, local_size_y = 16) in;

#include "fluid/carried.glsl"
#include "fluid/dye_change.glsl"

writeonly buffer After { vec4 cells[]; } after;

vec4 dye_at(vec3 place, ivec3 own) {
    vec3 from = clamp(place, -vec3(params.dye_dims), 2.0 * vec3(params.dye_dims)) - 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    if (is_flat()) corner.z = share.z = 0.0;
    vec4 sum = vec4(0.0);
    float all = 0.0;
    int corners = is_flat() ? 4 : 8;
    for (int i = 0; i < corners; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        float weight = part.x * part.y * part.z;
        uvec2 found = dye_place(ivec3(corner) + side);
        if (found.y != 0u) all += weight;
        if (found.y == 1u) sum += weight * before.cells[found.x];
    }
    return all > 1e-6 ? sum / all : before.cells[dye_index(own)];
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dye_dims))) return;
    vec4 dye = vec4(0.0);
    if (!is_obstacle(flow_cell(cell))) {
        if (params.from_nothing == 0u) dye = dye_at(traced(vec3(cell) + 0.5, params.dt), cell);
        if (params.finish != 0u) dye = changed(cell, dye);
    }
    after.cells[dye_index(cell)] = dye;
}

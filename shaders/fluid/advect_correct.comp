#version 460
// Takes half of what going forth and back changed off a dye that was carried forth, within the
// values around the place that it came from.

layout(local_size_x = 32, local_size_y = 8) in;

#include "carried.glsl"

readonly buffer Forth { vec4 cells[]; } forth;
writeonly buffer After { vec4 cells[]; } after;

vec4 corrected(ivec3 cell, vec3 from) {
    vec4 carried = forth.cells[dye_index(cell)];

    Around ahead = around(traced(cell, -elapsed(params.dt)), 1u << kInflow);
    vec4 back = vec4(0.0);
    float in_solids = 0.0;
    for (int i = 0; i < 8; ++i) {
        if (i >= corner_count()) break;
        ivec3 corner = corner_of(ahead, i);
        float share = share_of(ahead, i);
        if (is_obstacle(flow_cell(corner)))
            in_solids += share;
        else
            back += share * forth.cells[dye_index(corner)];
    }
    float all = 1.0 - in_solids;
    if (!(all > 1e-6)) return carried;
    if (has_solid != 0u) back /= all;

    Around behind = around(from, kClearIn);
    bool clear = reaches_clear(behind);
    vec4 least = vec4(clear ? 0.0 : 1e30);
    vec4 most = vec4(clear ? 0.0 : -1e30);
    for (int i = 0; i < 8; ++i) {
        if (i >= corner_count()) break;
        ivec3 corner = corner_of(behind, i);
        if (is_obstacle(flow_cell(corner)) || (clear && share_of(behind, i) == 0.0)) continue;
        vec4 value = before.cells[dye_index(corner)];
        least = min(least, value);
        most = max(most, value);
    }
    vec4 result = carried + 0.5 * (before.cells[dye_index(cell)] - back);
    return least.x <= most.x ? clamp(result, least, most) : carried;
}

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, fineness())) return;
    ivec3 cell = cell_taken(invocation, fineness());
    vec4 dye = vec4(0.0);
    if (!is_obstacle(flow_cell(cell))) {
        vec3 from = traced(cell, elapsed(params.dt));
        dye = changed(cell, from, params.from_nothing != 0u ? vec4(0.0) : corrected(cell, from));
    }
    after.cells[dye_index(cell)] = dye;
}

#version 460
// Carries a dye with a flow: looked up where the flow came from.

layout(local_size_x = 32, local_size_y = 8) in;

#include "carried.glsl"

writeonly buffer After { vec4 cells[]; } after;

vec4 dye_at(vec3 place, ivec3 own) {
    Around near = around(place, kClearIn);
    vec4 sum = vec4(0.0);
    float in_solids = 0.0;
    for (int i = 0; i < 8; ++i) {
        if (i >= corner_count()) break;
        ivec3 corner = corner_of(near, i);
        float share = share_of(near, i);
        if (is_obstacle(flow_cell(corner)))
            in_solids += share;
        else
            sum += share * before.cells[dye_index(corner)];
    }
    if (has_solid == 0u) return sum;
    float all = 1.0 - in_solids;
    return all > 1e-6 ? sum / all : before.cells[dye_index(own)];
}

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, fineness())) return;
    ivec3 cell = cell_taken(invocation, fineness());
    vec4 dye = vec4(0.0);
    if (!is_obstacle(flow_cell(cell))) {
        vec3 from = traced(cell, elapsed(params.dt));
        if (params.from_nothing == 0u) dye = dye_at(from, cell);
        if (params.finish != 0u) dye = changed(cell, from, dye);
    }
    after.cells[dye_index(cell)] = dye;
}

#version 460
// Adds each vertex to the eight cells around it.

layout(local_size_x = 256) in;

#include "crowd.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Previous { vec4 values[]; } previous;
buffer Cells { int values[]; } cells; // mass, way along x, y, z

uniform Params {
    uint count;
    vec3 low;
    float cell;
    ivec3 cells;
} params;

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    vec3 x = positions.values[at].xyz;
    vec3 way = (x - previous.values[at].xyz) / params.cell;
    if (!is_finite(x) || !is_finite(way)) return;
    vec3 place = (x - params.low) / params.cell;
    if (any(lessThan(place, vec3(-1.0))) || any(greaterThan(place, vec3(params.cells + 1)))) return;
    way = clamp(way, -kMaxWay, kMaxWay);
    Around a = around(place);
    for (uint corner = 0u; corner < 8u; ++corner) {
        ivec3 cell = cell_of(a, corner);
        if (cell != clamp(cell, ivec3(0), params.cells - 1)) continue;
        float share = share_of(a, corner);
        int first = 4 * (cell.x + params.cells.x * (cell.y + params.cells.y * cell.z));
        atomicAdd(cells.values[first], int(round(share * kWholeMass)));
        for (int c = 0; c < 3; ++c)
            atomicAdd(cells.values[first + 1 + c], int(round(share * way[c] * kWholeWay)));
    }
}

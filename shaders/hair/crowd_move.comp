#version 460
// Hair that is close together moves together, and out of places with too much of it.

layout(local_size_x = 256) in;

#include "clock.glsl"
#include "crowd.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Groups { uint values[]; } groups;
readonly buffer Cells { int values[]; } cells;
readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Previous { vec4 values[]; } previous;
writeonly buffer Moved { vec4 values[]; } moved;
writeonly buffer Former { vec4 values[]; } former;

uniform Params {
    uint count;
    uint vertices;
    uint step;
    vec3 low;
    float cell;
    ivec3 cells;
    float friction; // share of the difference to the others' motion that is lost
    float pressure; // cells that hair is moved by where there is twice the most
    float most;     // vertices of a cell, beyond which hair is pushed away
} params;

vec4 cell_values(ivec3 cell) {
    if (cell != clamp(cell, ivec3(0), params.cells - 1)) return vec4(0.0);
    int first = 4 * (cell.x + params.cells.x * (cell.y + params.cells.y * cell.z));
    return vec4(float(cells.values[first]) / kWholeMass,
                vec3(cells.values[first + 1], cells.values[first + 2], cells.values[first + 3]) / kWholeWay);
}

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    vec4 position = positions.values[at];
    vec4 before = previous.values[at];
    bool free = params.step < clock_steps() && at % params.vertices >= kPinned &&
                (groups.values[at / params.vertices] & kRigid) == 0u && is_finite(position.xyz) &&
                is_finite(before.xyz);
    if (free) {
        Around a = around((position.xyz - params.low) / params.cell);
        vec4 sum = vec4(0.0);
        vec3 slope = vec3(0.0); // of the mass, by cell
        for (uint corner = 0u; corner < 8u; ++corner) {
            vec4 values = cell_values(cell_of(a, corner));
            sum += share_of(a, corner) * values;
            vec3 high = vec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
            vec3 s = mix(1.0 - a.share, a.share, high);
            slope += values.x * (2.0 * high - 1.0) * vec3(s.y * s.z, s.x * s.z, s.x * s.y);
        }
        vec3 way = position.xyz - before.xyz;
        vec3 shared_way = sum.x > 1e-3 ? sum.yzw / sum.x * params.cell : way;
        way = mix(way, shared_way, params.friction);
        float excess = sum.x / params.most - 1.0;
        if (excess > 0.0) {
            vec3 push = -slope / params.most * (params.pressure * min(excess, 1.0) * params.cell);
            float size = length(push);
            position.xyz += size > 0.25 * params.cell ? push * (0.25 * params.cell / size) : push;
        }
        before.xyz = position.xyz - way;
    }
    moved.values[at] = position;
    former.values[at] = before;
}

#version 460
// Forces and stiffness that the contacts of a step begin with.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Impulses { vec4 values[]; } impulses;
writeonly buffer Forces { vec4 values[]; } forces;
writeonly buffer Stiffnesses { vec4 values[]; } stiffnesses;

uniform Params {
    uint all_cells;
    uint stride;
    float inverse_dt;
} params;

void main() {
    uint s = invocation_index();
    if (s >= tally.words[1] || keys.values[s] >= params.all_cells) return;
    uint points = heads.values[s].w;
    for (uint k = 0u; k < points; ++k) {
        uint at = k * params.stride + s;
        forces.values[at] = vec4(-params.inverse_dt * impulses.values[at].xyz, 0.0);
        vec3 mass = rows.values[(6u + k) * params.stride + s].xyz;
        stiffnesses.values[at] = vec4(mass * params.inverse_dt * params.inverse_dt / float(points), 0.0);
    }
}

#version 460
// Contacts keep the forces that they have come to, and become stiffer where they do not hold.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Shifts { vec4 values[]; } shifts;
buffer Forces { vec4 values[]; } forces;
buffer Stiffnesses { vec4 values[]; } stiffnesses;

uniform Params {
    uint all_cells;
    uint stride;
    float inverse_dt;
    float correction;
    float slop;
    float growth; // of stiffness, for a metre, as a share of the first
    float most;   // times the first
} params;

#include "avbd.glsl"

void main() {
    uint s = invocation_index();
    if (s >= tally.words[1] || keys.values[s] >= params.all_cells) return;
    uvec4 head = heads.values[s];
    for (uint k = 0u; k < head.w; ++k) {
        uint at = k * params.stride + s;
        Touch t = touch_at(s, head.xy, k);
        vec3 first = rows.values[(6u + k) * params.stride + s].xyz * params.inverse_dt * params.inverse_dt;
        bool slides = length(t.force.yz) >= 0.999 * avbd_row(0u, s).w * -t.force.x;
        vec3 stiffer = min(t.stiffness + params.growth * first * abs(t.by), params.most * first);
        if (t.force.x >= 0.0) stiffer = t.stiffness;
        if (slides) stiffer.yz = t.stiffness.yz;
        forces.values[at] = vec4(t.force, 0.0);
        stiffnesses.values[at] = vec4(stiffer, 0.0);
    }
}

#version 460
// Moves the bodies of a colour to where their energy is least while the others stay.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"

readonly buffer Offsets { uvec2 values[]; } offsets;
readonly buffer Incidences { uint values[]; } incidences;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Forces { vec4 values[]; } forces;
readonly buffer Stiffnesses { vec4 values[]; } stiffnesses;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Colors { uint values[]; } colors;
readonly buffer Aims { vec4 values[]; } aims;
coherent buffer Shifts { vec4 values[]; } shifts;

uniform Params {
    uint count;
    uint color;
    uint stride;
    float inverse_dt;
    float correction;
    float slop;
} params;

#include "avbd.glsl"

void main() {
    uint i = invocation_index();
    if (i >= params.count || colors.values[i] != params.color) return;
    float per_step = params.inverse_dt * params.inverse_dt;
    vec4 inertia1 = masses.values[2u * i];
    vec4 inertia2 = masses.values[2u * i + 1u];
    mat3 inverse_tensor = mat3(inertia1.x, inertia2.x, inertia2.y, inertia2.x, inertia1.y, inertia2.z,
                               inertia2.y, inertia2.z, inertia1.z);
    mat3 tensor = inverse(inverse_tensor);
    vec3 way = shifts.values[2u * i].xyz;
    vec3 turn = shifts.values[2u * i + 1u].xyz;
    // The energy's second and first derivatives: by place, by both, by turn.
    float mass = per_step / inertia1.w;
    mat3 h11 = mat3(mass);
    mat3 h12 = mat3(0.0); // columns by turn
    mat3 h22 = tensor * per_step;
    vec3 g1 = mass * (way - aims.values[2u * i].xyz);
    vec3 g2 = h22 * (turn - aims.values[2u * i + 1u].xyz);
    uvec2 range = offsets.values[i];
    for (uint q = range.x; q < range.y; ++q) {
        uint s = incidences.values[q] / 2u;
        bool second = (incidences.values[q] & 1u) != 0u;
        uvec4 head = heads.values[s];
        for (uint k = 0u; k < head.w; ++k) {
            Touch t = touch_at(s, head.xy, k);
            if (t.force.x >= 0.0) continue;
            for (uint axis = 0u; axis < 3u; ++axis) {
                vec3 n = second ? t.axes[axis] : -t.axes[axis];
                vec3 m = cross(second ? t.rb : t.ra, n);
                h11 += t.stiffness[axis] * outerProduct(n, n);
                h12 += t.stiffness[axis] * outerProduct(n, m);
                h22 += t.stiffness[axis] * outerProduct(m, m);
                g1 += t.force[axis] * n;
                g2 += t.force[axis] * m;
            }
        }
    }
    mat3 i11 = inverse(h11);
    mat3 schur = h22 - transpose(h12) * i11 * h12;
    vec3 change2 = -(inverse(schur) * (g2 - transpose(h12) * (i11 * g1)));
    vec3 change1 = -(i11 * (g1 + h12 * change2));
    if (!is_finite(change1) || !is_finite(change2)) return;
    shifts.values[2u * i].xyz = way + change1;
    shifts.values[2u * i + 1u].xyz = turn + change2;
}

#version 460
// The greatest speed at which points of contact still approach beyond what is wanted.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"
#include "rows.glsl"
#include "status.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Motions { vec4 values[]; } motions;
buffer Residuals { uint bits[]; } residuals;

uniform Params {
    uint all_cells;
    uint stride;
    uint at; // whose residual
} params;

shared uint greatest;

void main() {
    uint s = invocation_index();
    if (gl_LocalInvocationID.x == 0u) greatest = 0u;
    barrier();
    bool is_live = s < tally.words[1] && keys.values[s] < params.all_cells;
    uvec4 head = is_live ? heads.values[s] : uvec4(0u);
    if (is_live && (head.w & kIsJoint) == 0u) {
        vec3 n = rows.values[s].xyz;
        vec3 apart = rows.values[params.stride + s].xyz;
        for (uint k = 0u; k < head.w; ++k) {
            vec4 point = rows.values[(2u + k) * params.stride + s];
            vec3 a = motions.values[2u * head.x].xyz + cross(motions.values[2u * head.x + 1u].xyz, point.xyz);
            vec3 b = motions.values[2u * head.y].xyz +
                     cross(motions.values[2u * head.y + 1u].xyz, point.xyz + apart);
            float approach = -(dot(b - a, n) + point.w);
            if (approach > 0.0) atomicMax(greatest, floatBitsToUint(approach));
        }
    }
    barrier();
    if (gl_LocalInvocationID.x == 0u && greatest > 0u) atomicMax(residuals.bits[params.at], greatest);
}

#version 460
// What the step before left; at first, and when asked to begin anew, the initial state.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer BeforePositions { vec4 values[]; } before_positions;
readonly buffer BeforeVelocities { vec4 values[]; } before_velocities;
readonly buffer BeforeAge { uint executions; } before_age;
readonly buffer InitialPositions { vec4 values[]; } initial_positions;
readonly buffer InitialVelocities { vec4 values[]; } initial_velocities;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Velocities { vec4 values[]; } velocities;
writeonly buffer Age { uint executions; } age;

uniform Params {
    uint count;
    uint reset; // not 0: begin anew
} params;

void main() {
    uint i = invocation_index();
    uint executions = params.reset != 0u ? 0u : before_age.executions;
    if (i == 0u) age.executions = min(executions, 0xfffffffeu) + 1u;
    if (i >= params.count) return;
    bool anew = executions == 0u;
    positions.values[i] = anew ? initial_positions.values[i] : before_positions.values[i];
    velocities.values[i] = anew ? initial_velocities.values[i] : before_velocities.values[i];
}

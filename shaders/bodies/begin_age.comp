#version 460
// Executions since the state began.

layout(local_size_x = 1) in;

readonly buffer Before { uint executions; } before;
writeonly buffer Age { uint executions; } age;

uniform Params {
    uint reset; // not 0: begin again
} params;

void main() {
    uint executions = params.reset != 0u ? 0u : before.executions;
    age.executions = min(executions, 0xfffffffeu) + 1u;
}

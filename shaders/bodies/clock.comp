#version 460
// Says how many steps of fixed length an execution takes.

layout(local_size_x = 1) in;

#include "clock.glsl"
#include "fixed_steps.glsl"

readonly buffer Before { ClockWords elements[]; } before; // of the execution before; at first zeros
writeonly buffer After { ClockWords elements[]; } after;
writeonly buffer Done { uint words[]; } done; // 1: no step is due

uniform Params {
    uint most; // steps that there is room for
    float frame_time; // seconds that an execution takes
    float dt;
    uint reset; // not 0: begin again
} params;

void main() {
    ClockWords last = before.elements[0];
    bool reset = params.reset != 0u || last.age == 0u || isnan(last.owed);
    FixedSteps now = fixed_steps(last.owed, params.frame_time, params.dt, params.most, reset);
    after.elements[0] = ClockWords(now.steps, now.owed, now.share, 1u, uint(min(now.lost, 1e9)));
    done.words[0] = now.steps == 0u ? 1u : 0u;
}

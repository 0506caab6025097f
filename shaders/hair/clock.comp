#version 460
// Says how many steps of fixed length an execution takes, and where the head is before and after each.

layout(local_size_x = 1) in;

#include "fixed_steps.glsl"
#include "turn.glsl"

const uint kHeader = 6u;

layout(constant_id = 0) const uint has_before = 0u;
readonly buffer Before { vec4 values[]; } before; // the clock of the last execution
writeonly buffer After { vec4 values[]; } after;

uniform Params {
    uint most; // steps that there is room for
    float frame_time; // seconds that an execution takes
    float dt;
    float teleport; // the head jumps where it moves farther in an execution; 0: never
    uint reset;
    vec4 turn; // of the head, now
    vec3 shift;
    vec4 turn_before; // and before, where there is no clock
    vec3 shift_before;
} params;

void main() {
    Place now = Place(params.turn, params.shift);
    Place last = Place(params.turn_before, params.shift_before);
    Place reached = last; // where the head was in the last step
    Place began = last; // and before that step
    float owed = 0.0;
    bool reset = params.reset != 0u;
    float age = 0.0;
    if (has_before != 0u) {
        age = before.values[3].y;
        owed = before.values[3].x;
        last = Place(before.values[1], before.values[2].xyz);
        uint at = kHeader + 2u * min(uint(before.values[0].x), params.most);
        reached = Place(before.values[at], before.values[at + 1u].xyz);
        began = Place(before.values[4], before.values[5].xyz);
        reset = reset || age == 0.0;
    }
    bool jumps = params.teleport > 0.0 && distance(last.shift, now.shift) > params.teleport;
    if (reset || jumps || any(isnan(vec4(last.shift, owed)))) {
        reset = true;
        last = now;
        reached = now;
        began = now;
        owed = 0.0;
    }
    FixedSteps time = fixed_steps(owed, params.frame_time, params.dt, params.most, reset);

    after.values[0] = vec4(float(time.steps), reset ? 1.0 : 0.0, time.share, 0.0);
    after.values[1] = now.turn;
    after.values[2] = vec4(now.shift, 0.0);
    after.values[3] = vec4(time.owed, min(age + 1.0, 1e6), time.lost, 0.0);
    after.values[kHeader] = reached.turn;
    after.values[kHeader + 1u] = vec4(reached.shift, 0.0);
    Place place_before = reached;
    for (uint step = 0u; step < params.most; ++step) {
        float at = float(step + 1u) * params.dt - owed; // after the last picture
        Place place = place_between(last, now, params.frame_time > 0.0
                                                   ? clamp(at / params.frame_time, 0.0, 1.0) : 1.0);
        if (step + 1u < time.steps) place_before = place;
        after.values[kHeader + 2u * step + 2u] = place.turn;
        after.values[kHeader + 2u * step + 3u] = vec4(place.shift, 0.0);
    }
    if (time.steps == 0u) place_before = began;
    after.values[4] = place_before.turn;
    after.values[5] = vec4(place_before.shift, 0.0);
}

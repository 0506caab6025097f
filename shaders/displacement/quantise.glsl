// Boxes in whole steps of a box around them, which they never reach out of by rounding.
#ifndef DISPLACEMENT_QUANTISE
#define DISPLACEMENT_QUANTISE
#include "patch_box.glsl"

layout(constant_id = 48) const uint bytes = 0u; // 1: 8 bits a side of a box, not 16

struct Steps {
    vec3 low;
    vec3 size; // of a step
    float most;
};

Steps steps_of(PatchBox box) {
    float most = bytes != 0u ? 255.0 : 65535.0;
    precise vec3 size = max((box.high - box.low) / (most - 1.0), vec3(1e-30));
    return Steps(box.low, size, most);
}

vec3 place_of_step(Steps steps, uvec3 step_number) {
    precise vec3 place = steps.low + vec3(step_number) * steps.size;
    return place;
}

// Never less than the box: what rounding has put too near is a step further.
uvec3 steps_below(Steps steps, vec3 at) {
    uvec3 number = uvec3(clamp(floor((at - steps.low) / steps.size), 0.0, steps.most));
    bvec3 inside = greaterThan(place_of_step(steps, number), at);
    return number - mix(uvec3(0u), min(number, uvec3(1u)), inside);
}
uvec3 steps_above(Steps steps, vec3 at) {
    uvec3 number = uvec3(clamp(ceil((at - steps.low) / steps.size), 0.0, steps.most));
    bvec3 inside = lessThan(place_of_step(steps, number), at);
    return min(number + mix(uvec3(0u), uvec3(1u), inside), uvec3(steps.most));
}

#endif

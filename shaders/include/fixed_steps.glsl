// Steps of fixed length in frames of any length: the state is at the picture's time or less than a step after it.
// C++: `set_fixed_steps` of passes/common/fixed_steps.hpp.
#ifndef FIXED_STEPS
#define FIXED_STEPS

struct FixedSteps {
    uint steps;
    float owed; // seconds from the state to the picture after them, at most 0
    float share; // how far the picture's time is from the state before the last step to that after it
    float lost; // steps that there was no room for
};

// `owed` is that of the execution before. With `reset` the state begins at the picture's time.
FixedSteps fixed_steps(float owed, float frame_time, float dt, uint most, bool reset) {
    float due = owed + frame_time;
    // A frame that ends with a step, but for rounding, takes it.
    float wanted = dt > 0.0 && !reset ? ceil(due / dt - 1e-3) : 0.0;
    FixedSteps now;
    now.steps = uint(clamp(wanted, 0.0, float(most)));
    now.owed = wanted > float(most) ? 0.0 : due - float(now.steps) * dt;
    if (reset) now.owed = 0.0;
    now.share = dt > 0.0 ? clamp(1.0 + now.owed / dt, 0.0, 1.0) : 1.0;
    now.lost = max(wanted - float(most), 0.0);
    return now;
}

#endif

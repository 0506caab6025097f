// The time that a flow has gone on for in this execution. Where its steps adapt, the device alone
// knows it.
layout(constant_id = 8) const uint kClocked = 0u;
readonly buffer Status { // FluidStatus in passes/fluid/field.hpp
    uint clamped_densities;
    uint clamped_speeds;
    uint not_finite;
    uint forces_left_out;
    uint held_steps;
    float elapsed; // where steps adapt, time units of this execution
    uint fastest[3]; // the same, as the bits of floats: the greatest speed along an axis before a
                     // step, that after it, and the one that the step clears for the next
} status;

// `dt`: time units of a flow whose steps do not adapt.
float elapsed(float dt) {
    return kClocked != 0u ? status.elapsed : dt;
}

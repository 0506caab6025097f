// The time that a flow has gone on for in this execution. Where its steps adapt, the device alone
// knows it.
layout(constant_id = 8) const uint kClocked = 0u;
readonly buffer Status {
#include "status.glsl"
} status;

// `dt`: time units of a flow whose steps do not adapt.
float elapsed(float dt) {
    return kClocked != 0u ? status.elapsed : dt;
}

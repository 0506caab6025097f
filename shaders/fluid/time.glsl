// The time that a flow has gone on for in this execution. Where its steps adapt, the device alone
// knows it. Before it: `params` with dt, the time units of a flow whose steps do not.
layout(constant_id = 8) const uint kClocked = 0u;
readonly buffer Status {
#include "status_members.glsl"
} status;

float elapsed() {
    return kClocked != 0u ? status.elapsed : params.dt;
}

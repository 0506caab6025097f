// What becomes of a solution in the end: its mean is taken off where nothing fixes it, and of bad input
// it is 0.
#include "solver/outcomes.glsl"

readonly buffer Status {
#include "solver/status.glsl"
} status;

bool is_bad() {
    return status.status == kBadInput;
}
float mean_to_take_off() {
    if (status.singular == 0u) return 0.0;
    return status.solution_sum / max(float(status.unknown_cells), 1.0);
}

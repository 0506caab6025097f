// The right-hand side, and what is taken off it: the shift that a status names, where one is
// connected.
readonly buffer Rhs { float values[]; } rhs;
readonly buffer Status {
#include "solver/status.glsl"
} status;

float rhs_shift(uint has_status) {
    return has_status == 0u ? 0.0 : status.shift;
}

// The right-hand side, and what is taken off it: `params.shift` times the mean that the status
// names. Needs status.glsl.
readonly buffer Rhs { float values[]; } rhs;
readonly buffer Status { uint words[]; } status;

float rhs_shift() {
    // Without a shift there may be no status.
    return params.shift == 0.0 ? 0.0 : params.shift * uintBitsToFloat(status.words[kShift]);
}

// What becomes of a solution in the end: its mean is taken off where nothing fixes it, and of bad input
// it is 0. Needs status.glsl, and the status in `status`.
bool is_bad() {
    return status.words[kStatus] == kBadInput;
}
float mean_to_take_off() {
    if (status.words[kSingular] == 0u) return 0.0;
    float sum = uintBitsToFloat(status.words[kSolutionSum]);
    return sum / max(float(status.words[kUnknownCells]), 1.0);
}

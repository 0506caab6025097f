#version 460
// The mean of squared differences, and the peak signal-to-noise ratio for a peak of 1.

layout(local_size_x = 1) in;

uniform Params {
    float values; // that were compared
} params;

readonly buffer Sum { float value; } sum;
writeonly buffer Result {
    float mean;
    float decibels;
} result;

void main() {
    float mean = sum.value / params.values;
    result.mean = mean;
    result.decibels = mean > 0.0 ? -10.0 * log2(mean) / log2(10.0) : uintBitsToFloat(0x7f800000u);
}

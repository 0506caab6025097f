#version 460
// Sums up a histogram of lengths.

layout(local_size_x = 1) in;

#include "statistics.glsl"

readonly buffer Histogram { uint values[]; } histogram;
readonly buffer Longest { uint value; } longest;
// The longest list, the length that 99 % of the pixels do not exceed, the same of those pixels that
// have fragments, and these pixels' number.
writeonly buffer Summary { uint longest; uint most; uint most_touched; uint touched; } summary;

uint percentile(uint first, uint total) {
    uint allowed = total - total / 100u; // rounded up: so many do not exceed it
    uint sum = 0u;
    for (uint i = first; i < kLengths; ++i) {
        sum += histogram.values[i];
        if (sum >= allowed) return i;
    }
    return 0u;
}

void main() {
    uint total = 0u;
    for (uint i = 0u; i < kLengths; ++i) total += histogram.values[i];
    uint touched = total - histogram.values[0];
    summary.longest = longest.value;
    summary.most = percentile(0u, total);
    summary.most_touched = touched == 0u ? 0u : percentile(1u, touched);
    summary.touched = touched;
}

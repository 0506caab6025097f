#version 460
// The status before the first cycle, from the parts of rhs_norm.comp.
layout(local_size_x = 256) in;

uniform Params {
    int partial_sums;
    int singular;   // 1: nothing but fixed cells can fix the mean
    int residuals;  // room for these
    float compatible; // greatest mean that rounding explains, relative to the greatest magnitude
} params;

readonly buffer PartialSums { vec4 values[]; } partial_sums;
writeonly buffer Status {
#include "solver/status.glsl"
} status;
writeonly buffer Residuals { float values[]; } residuals;

#include "solver/group_sum.glsl"
#include "solver/outcomes.glsl"

void main() {
    vec4 sums = vec4(0.0);
    vec4 counts = vec4(0.0);
    for (int i = int(gl_LocalInvocationIndex); i < params.partial_sums; i += int(gl_WorkGroupSize.x)) {
        vec4 part = partial_sums.values[2 * i];
        sums = vec4(sums.xyz + part.xyz, max(sums.w, part.w));
        counts += partial_sums.values[2 * i + 1];
    }
    sums = group_sum(sums);
    counts = group_sum(counts);
    for (int i = int(gl_LocalInvocationIndex); i < params.residuals; i += int(gl_WorkGroupSize.x))
        residuals.values[i] = -1.0;
    if (gl_LocalInvocationIndex != 0u) return;

    float unknown = max(sums.z, 1.0);
    float mean = sums.x / unknown;
    bool singular = params.singular != 0 && counts.y == 0.0;
    bool incompatible = singular && abs(mean) > params.compatible * sums.w;
    bool bad = counts.x > 0.0 || (floatBitsToUint(sums.y) & 0x7f800000u) == 0x7f800000u;
    float norm = sqrt(singular ? max(sums.y - mean * mean * unknown, 0.0) : sums.y);
    uint outcome = bad ? kBadInput : kRunning;
    status.status = outcome;
    status.cycles = 0u;
    status.rhs_norm = bad ? 0.0 : sqrt(sums.y);
    status.first_residual = 0.0;
    status.last_residual = 0.0;
    status.rhs_mean = bad ? 0.0 : mean;
    status.not_finite = uint(counts.x);
    status.unknown_cells = uint(sums.z);
    status.best_residual = 0.0;
    status.stalled = 0u;
    status.incompatible_rhs = uint(incompatible);
    status.shift = singular && !bad ? mean : 0.0;
    status.singular = uint(singular);
    status.reference = norm;
    status.solution_sum = 0.0;
    status.padding = 0u;
}

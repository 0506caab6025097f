#version 460
// Looks at the residual's norm after a cycle, or before the first, and says whether to go on.
layout(local_size_x = 256) in;

uniform Params {
    int partial_sums;         // 0: the solution is 0 so far
    int cycle;         // 0: none has run
    int last_cycle;
    float tolerance;
    float progress;    // a residual below this share of the best one is progress
    int stagnation_limit;      // looks without progress until the solution counts as stagnated
    float runaway;     // a residual so many times the best one will not come back
    int keeps_mean;    // 1: the solution's mean is what it is to be
    int from_residual; // 1: the first residual counts for the reference as well
} params;

readonly buffer PartialSums { vec4 values[]; } partial_sums; // sums of the residual's squares, the solution
buffer Status {
#include "solver/status.glsl"
} status;
buffer Residuals { float values[]; } residuals;
writeonly buffer Done { uint word; } done;

#include "solver/group_sum.glsl"
#include "solver/outcomes.glsl"

void main() {
    vec4 sums = vec4(0.0);
    for (int i = int(gl_LocalInvocationIndex); i < params.partial_sums; i += int(gl_WorkGroupSize.x))
        sums.xy += partial_sums.values[i].xy;
    sums = group_sum(sums);
    if (gl_LocalInvocationIndex != 0u) return;
    if (status.status != kRunning) { // it was no input, or it is over already
        done.word = 1u;
        return;
    }

    float reference = status.reference;
    float norm = params.partial_sums == 0 ? reference : sqrt(sums.x);
    bool finite_ = (floatBitsToUint(norm) & 0x7f800000u) != 0x7f800000u;
    residuals.values[params.cycle] = norm;
    status.last_residual = norm;
    status.cycles = uint(params.cycle);
    status.solution_sum = params.keeps_mean != 0 ? 0.0 : sums.y;
    if (params.cycle == 0) {
        if (params.from_residual != 0 || reference == 0.0) reference = max(reference, norm);
        status.reference = reference;
        status.first_residual = norm;
        status.best_residual = norm;
    }
    float best = status.best_residual;
    uint stalled = status.stalled;
    stalled = params.cycle == 0 || norm < params.progress * best ? 0u : stalled + 1u;
    status.stalled = stalled;
    if (norm < best) status.best_residual = norm;

    uint outcome = kRunning;
    if (!finite_)
        outcome = kBadInput;
    else if (norm <= params.tolerance * reference)
        outcome = kConverged;
    else if (stalled >= uint(params.stagnation_limit) || norm > params.runaway * best)
        outcome = kStagnated;
    else if (params.cycle == params.last_cycle)
        outcome = kNotConverged;
    // The rest of an incompatible right-hand side is solved all the same.
    if (outcome == kConverged && status.incompatible_rhs != 0u) outcome = kIncompatible;
    status.status = outcome;
    done.word = uint(outcome != kRunning);
}

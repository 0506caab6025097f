// Sums up the dye that a group of 64 invocations has written, in four rounds.
#include "sparse_amounts.glsl"

writeonly buffer Runs { Run runs[]; } written_runs;

// By cell: its mass, whose sign is set where dye is present. Runs are apart, for the banks of memory.
shared uint dye_here[kWalkGroup + kWalkGroup / kRun];

// `dye`: of the invocation's cell in a round, as it is stored; `least`: the least that is present.
void note_dye(uint round_, vec4 dye, float least) {
    vec4 smoke = abs(dye);
    float mass = (smoke.x + smoke.y + smoke.z) * (1.0 / 3.0);
    bool present = max(max(smoke.x, smoke.y), max(smoke.z, smoke.w)) > least;
    uint at = 64u * round_ + gl_LocalInvocationID.x;
    dye_here[at + at / kRun] = floatBitsToUint(mass) | (present ? 0x80000000u : 0u);
}

// After the last round.
void sum_up(WalkedCell walked) {
    barrier();
    uint lane = gl_LocalInvocationID.x;
    if (lane >= kWalkGroup / kRun) return;
    Run run = Run(0u, 0.0);
    for (uint i = 0u; i < kRun; ++i) {
        uint bits = dye_here[lane * (kRun + 1u) + i];
        run.present |= bits >> 31 << i;
        run.mass += uintBitsToFloat(bits & 0x7fffffffu);
    }
    uint part = group_index() % kGroupsABrick;
    written_runs.runs[slot_of(walked.word) * kRunsABrick + part * (kWalkGroup / kRun) + lane] = run;
}

#version 460
// The arithmetic that the device's rate is measured with: 16 chains of fused multiply-adds an
// invocation. A step waits for the one before it in its chain, so that it takes several chains (and
// several subgroups a core) to keep the units busy; 16 are more than any latency in use needs and
// few enough for the registers. Memory is hardly touched.

layout(local_size_x = 256) in;

const uint kChains = 16u; // an invocation; Calibration in calibration.cpp counts with them

writeonly buffer Result { float values[]; } result;

uniform Params {
    uint steps;       // of every chain
    float multiplier; // below 1, so that the chains approach a number instead of infinity
} params;

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    float chain[kChains];
    for (uint i = 0u; i < kChains; ++i) chain[i] = float(gl_LocalInvocationID.x + i);
    for (uint step = 0u; step < params.steps; ++step)
        for (uint i = 0u; i < kChains; ++i) chain[i] = fma(chain[i], params.multiplier, 1.0);
    float sum = 0.0;
    for (uint i = 0u; i < kChains; ++i) sum += chain[i];
    result.values[group * gl_WorkGroupSize.x + gl_LocalInvocationID.x] = sum;
}

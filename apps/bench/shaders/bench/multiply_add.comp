#version 460
// The arithmetic that the device's rate is measured with: 16 chains of fused multiply-adds an
// invocation. A step waits for the one before it in its chain, so that it takes several chains (and
// several subgroups a core) to keep the units busy; 16 are more than any latency in use needs and
// few enough for the registers. Memory is hardly touched.

layout(local_size_x = 256) in;

writeonly buffer Result { float values[]; } result;

uniform Params {
    uint loops;       // of four steps each
    float multiplier; // below 1, so that the chains approach a number instead of infinity
} params;

void main() {
    vec4 a = vec4(gl_LocalInvocationID.x) + vec4(0, 1, 2, 3);
    vec4 b = a + 4.0;
    vec4 c = a + 8.0;
    vec4 d = a + 12.0;
    vec4 multiplier = vec4(params.multiplier);
    const vec4 one = vec4(1.0);
    for (uint loop = 0u; loop < params.loops; ++loop) {
        // Written out: what a loop itself costs must not count.
        a = fma(a, multiplier, one);
        b = fma(b, multiplier, one);
        c = fma(c, multiplier, one);
        d = fma(d, multiplier, one);

        a = fma(a, multiplier, one);
        b = fma(b, multiplier, one);
        c = fma(c, multiplier, one);
        d = fma(d, multiplier, one);

        a = fma(a, multiplier, one);
        b = fma(b, multiplier, one);
        c = fma(c, multiplier, one);
        d = fma(d, multiplier, one);

        a = fma(a, multiplier, one);
        b = fma(b, multiplier, one);
        c = fma(c, multiplier, one);
        d = fma(d, multiplier, one);
    }
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    result.values[group * gl_WorkGroupSize.x + gl_LocalInvocationID.x] =
        dot(a, one) + dot(b, one) + dot(c, one) + dot(d, one);
}

// Sums over a group of 256 to 1024, in an order that is always the same.
const uint kLanes = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
const uint kFirstHalf = kLanes > 512u ? 512u : kLanes > 256u ? 256u : 128u;
shared vec4 solver_sums[kLanes];

// The first three are added, of the fourth the greatest is taken. Call in uniform control flow.
vec4 group_sum(vec4 own) {
    uint lane = gl_LocalInvocationIndex;
    barrier(); // an earlier call's results have been read
    solver_sums[lane] = own;
    barrier();
    for (uint half_ = kFirstHalf; half_ > 0u; half_ >>= 1) {
        if (lane < half_ && lane + half_ < kLanes) {
            vec4 a = solver_sums[lane];
            vec4 b = solver_sums[lane + half_];
            solver_sums[lane] = vec4(a.xyz + b.xyz, max(a.w, b.w));
        }
        barrier();
    }
    return solver_sums[0];
}

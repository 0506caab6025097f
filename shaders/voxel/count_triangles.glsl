// Counters of a group, in the shared array `counters`; most groups have nothing to report.

void begin_counting() {
    if (gl_LocalInvocationIndex < 16u) counters[gl_LocalInvocationIndex] = 0u;
    barrier();
}

// All invocations must call it, after a barrier that follows the last count.
void end_counting() {
    if (gl_LocalInvocationIndex >= 16u) return;
    uint count = counters[gl_LocalInvocationIndex];
    if (count != 0u) atomicAdd(status.counters[gl_LocalInvocationIndex], count);
}

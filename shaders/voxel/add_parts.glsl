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

// Before it: `parts`, `part_list`, the shared `counters` and `params.room`.
#include "parts.glsl"

// One invocation of the dispatch calls it.
void begin_parts() {
    parts.words[kGroupsOfParts + 1u] = 1u;
    parts.words[kGroupsOfParts + 2u] = 1u;
}

void add_parts(uint triangle, uint count) {
    atomicAdd(counters[kLarge], 1u);
    // Read first, so that the number of those that find no room does not overflow.
    uint first = atomicAdd(parts.words[kPartCount], 0u);
    if (first < params.room) first = atomicAdd(parts.words[kPartCount], count);
    bool fits = first < params.room && count <= params.room - first;
    uint end = min(first + count, params.room);
    for (uint at = first; at < end; ++at) {
        part_list.words[2u * at] = fits ? triangle : kNoTriangle;
        part_list.words[2u * at + 1u] = at - first;
    }
    if (fits) {
        atomicMax(parts.words[kGroupsOfParts], min(end, kMostGroups));
        return;
    }
    atomicAdd(counters[kOverflow], 1u);
    uint whole = atomicAdd(parts.words[kWholeCount], 1u);
    part_list.words[2u * params.room + whole] = triangle;
    atomicMax(parts.words[kGroupsOfParts], min(max(end, whole + 1u), kMostGroups));
}

// What kernels of one invocation a triangle report: counters, a group's at a time, as most groups have
// nothing to report, and large triangles for the kernels that take parts of them.
#include "parts.glsl"
#include "status.glsl"

buffer Parts { uint words[]; } parts;
writeonly buffer PartList { uint words[]; } part_list;

shared uint counters[kTriangleCounters]; // of the group

void begin_counting() {
    if (gl_LocalInvocationIndex < kTriangleCounters) counters[gl_LocalInvocationIndex] = 0u;
    barrier();
}

// All invocations must call it, after a barrier that follows the last count.
void end_counting() {
    if (gl_LocalInvocationIndex >= kTriangleCounters) return;
    uint count = counters[gl_LocalInvocationIndex];
    if (count != 0u) count_triangles(gl_LocalInvocationIndex, count);
}

// One invocation of the dispatch calls it.
void begin_parts() {
    parts.words[kGroupsOfParts + 1u] = 1u;
    parts.words[kGroupsOfParts + 2u] = 1u;
}

void count_needed_parts(uint count) {
    uint low = atomicAdd(parts.words[kPartsNeeded], count);
    if (low + count < low) atomicAdd(parts.words[kPartsNeeded + 1u], 1u);
}

// `room`: parts that `part_list` has room for.
void add_parts(uint triangle, uint count, uint room) {
    atomicAdd(counters[kLarge], 1u);
    count_needed_parts(count);
    // Read first, so that the number of those that find no room does not overflow.
    uint first = atomicAdd(parts.words[kPartCount], 0u);
    if (first < room) first = atomicAdd(parts.words[kPartCount], count);
    bool fits = first < room && count <= room - first;
    uint end = min(first + count, room);
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
    part_list.words[2u * room + whole] = triangle;
    atomicMax(parts.words[kGroupsOfParts], min(max(end, whole + 1u), kMostGroups));
}

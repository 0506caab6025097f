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

// Takes `count` parts, of which there is `room`, and returns the first; from `room` on there are none.
// The counter must not pass 32 bits, for it would come back to parts that others have. So only as many
// triangles just add as cannot bring it there with `most` parts each; whoever comes later adds no more
// than there is room for.
uint take_parts(uint count, uint room, uint most) {
    uint before = atomicAdd(parts.words[kPartTakers], 1u);
    if (before < (0xffffffffu - room) / most) return atomicAdd(parts.words[kPartCount], count);
    uint first = atomicAdd(parts.words[kPartCount], 0u);
    while (first < room) {
        uint seen = atomicCompSwap(parts.words[kPartCount], first, first + min(count, room - first));
        if (seen == first) break;
        first = seen;
    }
    return first;
}

// `room`: parts that `part_list` has room for; `most`: parts that a triangle has at most.
void add_parts(uint triangle, uint count, uint room, uint most) {
    atomicAdd(counters[kLarge], 1u);
    count_needed_parts(count);
    uint first = take_parts(count, room, most);
    bool fits = first < room && count <= room - first;
    uint end = fits ? first + count : room;
    for (uint at = first; at < end; ++at) {
        part_list.words[2u * at] = fits ? triangle : kNoTriangle;
        part_list.words[2u * at + 1u] = at - first;
    }
    if (fits) {
        atomicMax(parts.words[kGroupsOfParts], min(end, kMaxGroups));
        return;
    }
    atomicAdd(counters[kOverflow], 1u);
    uint whole = atomicAdd(parts.words[kWholeCount], 1u);
    part_list.words[2u * room + whole] = triangle;
    atomicMax(parts.words[kGroupsOfParts], min(max(end, whole + 1u), kMaxGroups));
}

#ifndef DISTANCE_EXACT_STATUS
#define DISTANCE_EXACT_STATUS
// A group writes the status of an exact transform. The kernel has the buffer `objects`, kGroup, and
// in params the size, the counts of objects and the code that says that there are none.
#define STATUS_ACCESS writeonly
#include "status.glsl"

shared uint total;

void write_status() {
    if (gl_LocalInvocationIndex == 0u) total = 0u;
    barrier();
    uint found = 0u;
    for (int i = int(gl_LocalInvocationIndex); i < params.counts; i += kGroup)
        found += objects.counts[i];
    if (found != 0u) atomicAdd(total, found);
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    status.objects = total;
    status.background = uint(params.size.x * params.size.y * params.size.z) - total;
    status.not_finite = 0u;
    status.passes = 0u;
    status.codes = total == 0u ? params.code_without_objects : 0u;
    status.row_passes = 0u;
}

#endif

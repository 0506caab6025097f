#version 460
// Jobs of at most `batch` rays of one patch, in any order; and how many rays met each patch's box.

layout(local_size_x = 64) in;

#include "status.glsl"
#include "invocation.glsl"

buffer Status { CastStatus elements[]; } status;
buffer JobCount { uint jobs; uint next; } job_count;
readonly buffer Ranges { uvec2 values[]; } ranges;
writeonly buffer Jobs { PatchJob values[]; } jobs;
writeonly buffer Loads { uint values[]; } loads; // rays a patch

uniform Params {
    uint patch_count;
    uint batch;
    uint room;      // for jobs, which is enough for all
    uint pair_room;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.patch_count) return;
    if (i == 0u) status.elements[0].room = params.pair_room;
    uvec2 range = ranges.values[i];
    uint rays = range.y - range.x;
    loads.values[i] = rays;
    if (rays == 0u) return;
    uint count = (rays + params.batch - 1u) / params.batch;
    uint first = atomicAdd(job_count.jobs, count);
    for (uint k = 0u; k < count; ++k) {
        uint begin = range.x + k * params.batch;
        if (first + k < params.room)
            jobs.values[first + k] = PatchJob(i, begin, min(begin + params.batch, range.y));
    }
}

#version 460
// Counts what there is to test: all rays of a cell against all its triangles.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint room;    // for links
    uint entries; // that lists have room for
} params;

#include "cast_status.glsl"
#include "runs.glsl"

readonly buffer ActiveCount { uint word; } active_count;
buffer RoundTests { uint words[2]; } round_tests;

shared uint tests_low;
shared uint tests_high;
shared uint largest;

void main() {
    uint i = invocation_index();
    if (gl_LocalInvocationIndex == 0u) {
        tests_low = 0u;
        tests_high = 0u;
        largest = 0u;
    }
    barrier();
    if (i < clamped_runs(params.room)) {
        Run run = run_at(i, params.room, params.entries);
        uint high;
        uint low;
        umulExtended(run.rays, run.triangles, high, low);
        uint before = atomicAdd(tests_low, low);
        atomicAdd(tests_high, high + uint(before + low < before));
        atomicMax(largest, run.rays);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && largest != 0u) {
        uint before = atomicAdd(round_tests.words[0], tests_low);
        atomicAdd(round_tests.words[1], tests_high + uint(before + tests_low < before));
        before = atomicAdd(cast_status.tests[0], tests_low);
        atomicAdd(cast_status.tests[1], tests_high + uint(before + tests_low < before));
        atomicMax(cast_status.largest, largest);
    }
    if (i == 0u) {
        uint links = min(link_count.word, params.room);
        uint before = atomicAdd(cast_status.links[0], links);
        atomicAdd(cast_status.links[1], uint(before + links < before));
        atomicAdd(cast_status.cells, clamped_runs(params.room));
        atomicAdd(cast_status.in_rounds, active_count.word);
    }
}

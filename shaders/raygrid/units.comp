#version 460
// Into how many parts the tests of each cell are cut, for invocations or groups that take one each.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint room;
    uint entries;
    uint ray_bits;      // rays of a part, as a power of two
    uint triangle_bits; // triangles, at least
} params;

#include "runs.glsl"

readonly buffer RoundTests { uint words[2]; } round_tests;
writeonly buffer Units { uint values[]; } units;

void main() {
    uint i = invocation_index();
    if (i >= clamped_runs(params.room)) return;
    Run run = run_at(i, params.room, params.entries);
    uint bits =
        triangle_bits_for(params.triangle_bits, round_tests.words[0], round_tests.words[1]);
    units.values[i] = parts_of(run.rays, params.ray_bits) * parts_of(run.triangles, bits);
}

#version 460
// Joins what the groups of fluid/stats have found, in one group.

layout(local_size_x = 256) in;

uniform Params {
    uint groups;
    float sound; // speed, cells / time unit; 0: it has none
} params;

#include "tally.glsl"

readonly buffer Parts { Tally values[]; } parts;
writeonly buffer Numbers { float values[]; } numbers; // FluidNumber in C++

void main() {
    Tally own = no_cells();
    Sums sums = Sums(vec4(0.0), vec4(0.0));
    for (uint i = gl_LocalInvocationIndex; i < params.groups; i += kLanes) {
        Tally part = parts.values[i];
        add(sums, part.sums);
        own.extremes = max(own.extremes, part.extremes);
        own.counts += part.counts;
    }
    own.sums = sums.value;
    own = join_group(own);
    if (gl_LocalInvocationIndex != 0u) return;
    bool some = own.counts.x != 0u;
    float cells = float(max(own.counts.x, 1u));
    numbers.values[0] = own.extremes.x;
    numbers.values[1] = some ? 1.0 - own.extremes.y : 1.0;
    numbers.values[2] = some ? 1.0 + own.extremes.z : 1.0;
    numbers.values[3] = own.sums.x;
    numbers.values[4] = own.sums.y;
    numbers.values[5] = sqrt(own.sums.z / cells);
    numbers.values[6] = sqrt(own.sums.w / cells);
    numbers.values[7] = params.sound > 0.0 ? own.extremes.x / params.sound : 0.0;
    numbers.values[8] = float(own.counts.x);
    numbers.values[9] = float(own.counts.y);
}

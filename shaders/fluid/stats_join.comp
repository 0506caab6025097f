#version 460
// Joins what the groups of fluid/stats have found, in one group.

layout(local_size_x = 256) in;

uniform Params {
    uint groups;
    float sound; // speed, cells / time unit; 0: it has none
} params;

#include "tally.glsl"

readonly buffer Parts { Tally values[]; } parts;
writeonly buffer Numbers { // FluidReport in passes/fluid/stats.hpp
    float speed;
    float least_density;
    float greatest_density;
    float mass;
    float energy;
    float divergence;
    float curl;
    float mach;
    float cells;
    float not_finite;
} numbers;

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
    numbers.speed = own.extremes.x;
    numbers.least_density = some ? 1.0 - own.extremes.y : 1.0;
    numbers.greatest_density = some ? 1.0 + own.extremes.z : 1.0;
    numbers.mass = own.sums.x;
    numbers.energy = own.sums.y;
    numbers.divergence = sqrt(own.sums.z / cells);
    numbers.curl = sqrt(own.sums.w / cells);
    numbers.mach = params.sound > 0.0 ? own.extremes.x / params.sound : 0.0;
    numbers.cells = float(own.counts.x);
    numbers.not_finite = float(own.counts.y);
}

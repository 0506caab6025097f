// What is known of some cells of a flow, and how two such parts are joined.
const uint kLanes = 256u;

struct Tally {
    vec4 sums;     // of density - 1, energy, and the squares of divergence and curl
    vec4 extremes; // greatest component of a velocity, greatest 1 - density, greatest density - 1
    uvec4 counts;  // cells that the numbers are of, cells that are not finite
};

// That of no cells.
Tally no_cells() {
    const float kLeast = -3.402823e38;
    return Tally(vec4(0.0), vec4(0.0, kLeast, kLeast, 0.0), uvec4(0));
}

// Sums that keep what rounding loses (Kahan), for many numbers one after the other.
struct Sums {
    vec4 value;
    vec4 excess; // of the value over the numbers
};
void add(inout Sums sums, vec4 numbers) {
    precise vec4 rest = numbers - sums.excess;
    precise vec4 sum = sums.value + rest;
    precise vec4 added = sum - sums.value;
    precise vec4 excess = added - rest;
    sums.value = sum;
    sums.excess = excess;
}

shared vec4 lane_sums[kLanes];
shared vec4 lane_extremes[kLanes];
shared uvec4 lane_counts[kLanes];

// All tallies of the group, joined in a tree that is always the same; in invocation 0.
Tally join_group(Tally own) {
    uint lane = gl_LocalInvocationIndex;
    for (uint other = kLanes / 2u; other > 0u; other /= 2u) {
        lane_sums[lane] = own.sums;
        lane_extremes[lane] = own.extremes;
        lane_counts[lane] = own.counts;
        barrier();
        if (lane < other) {
            own.sums += lane_sums[lane + other];
            own.extremes = max(own.extremes, lane_extremes[lane + other]);
            own.counts += lane_counts[lane + other];
        }
        barrier();
    }
    return own;
}

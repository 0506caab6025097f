#version 460
// Kernel C: gives edges their length back, the even ones and then the odd ones, and lets the wind
// push. A vertex an invocation, strands in shared memory.

layout(local_size_x = 64) in;

#include "clock.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Groups { uint values[]; } groups;
buffer Positions { vec4 values[]; } positions;
// The most that a first free edge is stretched, as bits of now / rest.
buffer Probe { uint values[]; } probe;

uniform Params {
    uint count;
    uint vertices;
    uint step;
    uint iterations;
    uint wind_first;
    uint by_length;     // the wind pushes by the square of an edge's length
    vec4 winds[4];      // times the square of the time
    float compliance;   // over the square of the time; 0: hard constraints
    uint measures;      // writes the probe
    uint only_stretched; // runs only where the probe does not ask for the other solver
    float stretched;
} params;

shared vec3 x[64];

void blow(bool free, uint lane, vec3 wind) {
    vec3 push = vec3(0.0);
    if (free) push = wind_push(x[lane] - x[lane + 1u], wind, params.by_length != 0u);
    barrier();
    x[lane] += push;
    barrier();
}

void main() {
    uint strands = 64u / params.vertices;
    uint lane = gl_LocalInvocationIndex;
    uint vertex = lane % params.vertices;
    uint strand = group_index() * strands + lane / params.vertices;
    if (params.step >= clock_steps()) return; // all of the group
    bool there = lane / params.vertices < strands && strand < params.count;
    uint at = strand * params.vertices + vertex;
    float length_here = 0.0;
    vec3 wind = vec3(0.0);
    if (there) there = (groups.values[strand] & kRigid) == 0u;
    x[lane] = vec3(0.0);
    if (there) {
        x[lane] = positions.values[at].xyz;
        length_here = rest.values[at].w;
        wind = wind_of_strand(params.winds, strand);
    }
    bool has_edge = there && vertex + 1u < params.vertices;
    bool blown = has_edge && vertex >= kPinned;
    barrier();
    if (params.wind_first != 0u) blow(blown, lane, wind);
    if (params.measures != 0u && has_edge && vertex == kPinned - 1u && length_here > 0.0)
        atomicMax(probe.values[params.step + 1u],
                  floatBitsToUint(distance(x[lane], x[lane + 1u]) / length_here));
    bool hands_over = params.only_stretched != 0u &&
                      uintBitsToFloat(probe.values[params.step]) > params.stretched;
    float low = weight_of(vertex);
    float high = weight_of(vertex + 1u);
    float both = low + high + params.compliance;
    float pulled = 0.0; // so far, along the edge: the multiplier of a soft constraint
    for (uint i = 0u; i < params.iterations && !hands_over; ++i)
        for (uint batch = 0u; batch < 2u; ++batch) {
            if (has_edge && (vertex & 1u) == batch && low + high > 0.0 && length_here > 0.0) {
                vec3 excess = edge_excess(x[lane], x[lane + 1u], length_here);
                vec3 along = x[lane + 1u] - x[lane];
                float now = length(along);
                if (now > kShortest && params.compliance > 0.0) {
                    float change = (now - length_here - params.compliance * pulled) / both;
                    pulled += change;
                    excess = along * (change / now);
                } else {
                    excess /= low + high;
                }
                x[lane] += low * excess;
                x[lane + 1u] -= high * excess;
            }
            barrier();
        }
    if (params.wind_first == 0u) blow(blown, lane, wind);
    if (there) positions.values[at] = vec4(x[lane], low);
}

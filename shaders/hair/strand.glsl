// What each constraint does to one vertex or one edge. Every kernel that moves hair calls these, so
// that a step of several kernels and the fused one agree. C++: passes/hair/motion.cpp.
#ifndef HAIR_STRAND
#define HAIR_STRAND

#include "turn.glsl"

const uint kGroups = 8u;         // of strands with parameters of their own
const uint kRigid = 0x80000000u; // in a strand's group: it follows the head and nothing else
const uint kPinned = 2u;         // vertices at the root that follow the head

// Arrays whose strands are woven, 32 at a time: lanes that have a strand each read words that lie side
// by side. C++: `woven_count` of passes/hair/hair.hpp.
uint woven(uint strand, uint vertex, uint vertices) {
    return ((strand / 32u) * vertices + vertex) * 32u + strand % 32u;
}

bool is_finite(vec3 v) {
    return all(lessThan(abs(v), vec3(1e18))); // false for NaN
}

// Inverse mass: vertices at the root do not give way.
float weight_of(uint vertex) {
    return vertex < kPinned ? 0.0 : 1.0;
}

// Verlet. `keep`: share of the way of the last step that is left after damping.
vec3 integrated(vec3 x, vec3 before, float keep, vec3 fall) {
    return x + (x - before) * keep + fall;
}

// How strongly a vertex is pulled to its place in the groom: `group` is (keep, local stiffness,
// global stiffness, range), the range a share of the strand.
float global_pull(vec4 group, uint vertex, uint vertices, bool fades) {
    float reach = group.w * float(vertices);
    if (float(vertex) >= reach) return 0.0;
    return fades ? group.z * (1.0 - float(vertex) / reach) : group.z;
}

// Too short to say where it points: it is left alone.
const float kShortest = 1e-12;

// What vertex i of edge (i, i + 1) moves by if it alone gives way.
vec3 edge_excess(vec3 a, vec3 b, float rest) {
    vec3 along = b - a;
    float now = length(along);
    return now > kShortest ? along * ((now - rest) / now) : vec3(0.0);
}

// The air's push across an edge: W |e|^2 - e (e . W), of the edge's direction unless `by_length`.
vec3 wind_push(vec3 edge, vec3 wind, bool by_length) {
    float squared = dot(edge, edge);
    if (!(squared > kShortest * kShortest)) return vec3(0.0);
    vec3 push = wind * squared - edge * dot(edge, wind);
    return by_length ? push : push / squared;
}

// The wind on a strand: its share of four winds, which have twice the weight of one together.
vec3 wind_of_strand(vec4 winds[4], uint strand) {
    float a = float(strand % 20u) * 0.05;
    return a * (winds[0].xyz + winds[2].xyz) + (1.0 - a) * (winds[1].xyz + winds[3].xyz);
}

#endif

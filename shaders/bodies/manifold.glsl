// Where two bodies touch: up to four points with one normal. Six quads a pair: the normal, from the
// first body to the second, and how many points; the points, halfway between the surfaces, and how far
// these are apart (less than 0: they overlap); numbers by which the points are known in the next step.
#ifndef BODIES_MANIFOLD
#define BODIES_MANIFOLD

const uint kManifoldQuads = 6u;
const uint kPoints = 4u;

struct Manifold {
    vec3 normal;
    uint count;
    vec4 points[4];
    uint features[4];
};

Manifold no_manifold() {
    Manifold m;
    m.normal = vec3(0.0, 1.0, 0.0);
    m.count = 0u;
    for (uint k = 0u; k < kPoints; ++k) {
        m.points[k] = vec4(0.0);
        m.features[k] = 0u;
    }
    return m;
}

void add_point(inout Manifold m, vec3 place, float apart, uint feature) {
    if (m.count >= kPoints) return;
    m.points[m.count] = vec4(place, apart);
    m.features[m.count] = feature;
    ++m.count;
}

// Of points, the index of the one that the next of four should be: the deepest; the farthest from it;
// the farthest from the line through both; the farthest on the other side of that line. Scores of what
// cannot be taken are low.
float score_of(uint turn, vec4 candidate, vec3 normal, vec3 a, vec3 b, float side) {
    if (turn == 0u) return -candidate.w;
    if (turn == 1u) return dot(candidate.xyz - a, candidate.xyz - a);
    float aside = dot(cross(b - a, candidate.xyz - a), normal);
    return turn == 2u ? abs(aside) : -aside * side;
}
const float kLeastScore = 1e-10; // square metres, after the first
#endif

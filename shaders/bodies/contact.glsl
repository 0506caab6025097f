// What all kernels of the narrow phase declare, and how they begin and end.
#ifndef BODIES_CONTACT
#define BODIES_CONTACT

#include "body.glsl"
#include "invocation.glsl"
#include "manifold.glsl"
#include "status.glsl"

readonly buffer Pairs { uvec2 values[]; } pairs;
readonly buffer Tally { uint words[]; } tally;
readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Shapes { vec4 values[]; } shapes;
readonly buffer Boxes { vec4 values[]; } boxes;
readonly buffer Geometry { vec4 values[]; } geometry;
writeonly buffer Manifolds { vec4 values[]; } manifolds;
buffer Status { BodiesStatus elements[]; } status;

struct Pair {
    uint first;
    uint second;
    Shape a;
    Shape b;
    float margin;
    bool is_there;
};

Pair pair_of(uint p) {
    Pair pair;
    pair.is_there = p < tally.words[0];
    if (!pair.is_there) return pair;
    uvec2 both = pairs.values[p];
    pair.first = both.x;
    pair.second = both.y;
    pair.a = shape_of(shapes.values[2u * both.x], shapes.values[2u * both.x + 1u]);
    pair.b = shape_of(shapes.values[2u * both.y], shapes.values[2u * both.y + 1u]);
    pair.margin = boxes.values[2u * both.x].w + boxes.values[2u * both.y].w;
    return pair;
}

void put_manifold(uint p, Manifold m) {
    uint first = kManifoldQuads * p;
    manifolds.values[first] = vec4(m.normal, uintBitsToFloat(m.count));
    float deepest = 0.0;
    for (uint k = 0u; k < kPoints; ++k) {
        if (k < m.count) {
            manifolds.values[first + 1u + k] = m.points[k];
            deepest = max(deepest, -m.points[k].w);
        }
    }
    manifolds.values[first + 5u] =
        uintBitsToFloat(uvec4(m.features[0], m.features[1], m.features[2], m.features[3]));
    if (m.count == 0u) return;
    atomicAdd(status.elements[0].contacts, 1u);
    atomicAdd(status.elements[0].points, m.count);
    if (deepest > 0.0) atomicMax(status.elements[0].deepest, floatBitsToUint(deepest));
}

bool is_round(uint kind) {
    return kind <= kCapsule;
}
bool is_polyhedron(uint kind) {
    return kind == kBox || kind == kHull;
}
bool is_field(uint kind) {
    return kind >= kPlane;
}

// The axis of a sphere or capsule: its middle and half of it.
void axis_of(Shape shape, uint body, out vec3 middle, out vec3 half_axis) {
    middle = places.values[body].xyz;
    half_axis = shape.kind == kCapsule
                    ? rotated(turns.values[body], vec3(0.0, shape.size.y, 0.0))
                    : vec3(0.0);
}

// A direction between two places, or up.
vec3 direction_between(vec3 from, vec3 to, vec3 otherwise) {
    vec3 between = to - from;
    float apart = length(between);
    return apart > 1e-9 ? between / apart : otherwise;
}
#endif

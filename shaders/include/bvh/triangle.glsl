// Rays against boxes and triangles.
//
// Boxes.
//
// The interval of a ray in a box never shrinks where the box grows, in floating point as in exact
// arithmetic: each step (a subtraction, a product with one factor, least and greatest) is monotone
// however it rounds. A hierarchy whose boxes hold those of their children to the bit therefore
// never hides a triangle whose own box the ray meets: that is what makes the hits of all tracers
// the same. See below.

#ifndef BVH_TRIANGLE
#define BVH_TRIANGLE

#include "bvh/ray.glsl"

struct Slabs {
    vec3 low;     // the ray's origin, as the low faces of boxes see it
    vec3 high;    // and as the high faces do
    vec3 inverse; // of the direction
};

const float kSmallestDirection = 1e-35;
// Rounding of the two planes of an interval differs by less than this share.
const float kIntervalSlack = 9.5367431640625e-7; // 2^-20

// A ray parallel to a slab is in it or not; one that lies in the slab's face is in. Its own
// direction is none: it is given one that leaves every slab that it is in beyond any distance, and
// faces a little apart, for 0 times infinity is no number.
Slabs slabs_of(Ray ray) {
    bvec3 parallel = lessThan(abs(ray.direction), vec3(kSmallestDirection));
    vec3 direction = mix(ray.direction, vec3(kSmallestDirection), parallel);
    vec3 apart = mix(vec3(0.0), max(abs(ray.origin) * 2.4e-7, vec3(1e-15)), parallel);
    Slabs slabs;
    slabs.low = ray.origin + apart;
    slabs.high = ray.origin - apart;
    precise vec3 inverse = 1.0 / direction;
    slabs.inverse = inverse;
    return slabs;
}

// Where the ray enters and leaves a box; it misses where the first is more than the second.
vec2 interval_in(Slabs slabs, vec3 low, vec3 high) {
    precise vec3 a = (low - slabs.low) * slabs.inverse;
    precise vec3 b = (high - slabs.high) * slabs.inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float leaves = min(min(far.x, far.y), far.z);
    precise float widened = leaves + abs(leaves) * kIntervalSlack;
    return vec2(max(max(near.x, near.y), near.z), widened);
}

// Whether there may be a hit at `t` or before in a box with this interval. False for NaN.
bool may_hit(vec2 interval, float t) {
    return interval.x <= interval.y && interval.y >= 0.0 && interval.x <= t;
}

// Triangles: one function, so that every tracer finds the same hits to the bit.
//
// A hit lies within the interval of the ray in the triangle's own box (t is brought there, by a
// rounding's worth; a triangle whose box the ray misses is missed). So whatever hierarchy leads to
// the triangle, a tracer that follows `may_hit` cannot lose it; and of equal t the lower triangle
// counts, so the order in which triangles are met does not matter.

layout(constant_id = 30) const uint triangle_test = 0u;
const uint kWatertight = 0u; // Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013
const uint kMoellerTrumbore = 1u; // what the chapter on ray tracing uses; rays slip through edges

// A ray, and what all its tests have in common.
struct PreparedRay {
    vec3 origin;
    vec3 direction;
    uint leaves;
    Slabs slabs;
    vec3 shear; // brings the direction to the axis (0, 0, 1)
    uint axis;  // the longest of the direction
};

// A cyclic order of coordinates with `axis` last.
vec3 axis_last(vec3 v, uint axis) {
    return axis == 0u ? v.yzx : axis == 1u ? v.zxy : v;
}

PreparedRay prepare(Ray ray) {
    PreparedRay prepared;
    prepared.origin = ray.origin;
    prepared.direction = ray.direction;
    prepared.leaves = ray.leaves;
    prepared.slabs = slabs_of(ray);
    vec3 size = abs(ray.direction);
    prepared.axis = size.x >= size.y && size.x >= size.z ? 0u : size.y >= size.z ? 1u : 2u;
    vec3 d = axis_last(ray.direction, prepared.axis);
    precise vec3 shear = vec3(d.xy, 1.0) / d.z;
    prepared.shear = shear;
    return prepared;
}

Hit no_hit(Ray ray) {
    return Hit(ray.t_max, kNoTriangle, vec2(0.0), kNoInstance);
}

// t and the weights of b and c, or a negative t where there is no hit. Edges and corners belong to
// all triangles that they are of: two that share an edge compute the same product with opposite
// signs, so no ray passes between them.
vec3 watertight_hit(PreparedRay ray, vec3 a, vec3 b, vec3 c) {
    precise vec3 pa = axis_last(a - ray.origin, ray.axis);
    precise vec3 pb = axis_last(b - ray.origin, ray.axis);
    precise vec3 pc = axis_last(c - ray.origin, ray.axis);
    precise vec2 qa = pa.xy - ray.shear.xy * pa.z;
    precise vec2 qb = pb.xy - ray.shear.xy * pb.z;
    precise vec2 qc = pc.xy - ray.shear.xy * pc.z;
    precise float u = qc.x * qb.y - qc.y * qb.x;
    precise float v = qa.x * qc.y - qa.y * qc.x;
    precise float w = qb.x * qa.y - qb.y * qa.x;
    bool outside = (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0);
    precise float determinant = u + v + w;
    if (outside || !(determinant != 0.0)) return vec3(-1.0);
    precise float depth = (u * pa.z + v * pb.z + w * pc.z) * ray.shear.z;
    precise vec3 hit = vec3(depth, v, w) / determinant;
    return hit;
}

vec3 crossed(vec3 a, vec3 b) {
    precise vec3 product = a.yzx * b.zxy - a.zxy * b.yzx;
    return product;
}
float dotted(vec3 a, vec3 b) {
    precise float product = a.x * b.x + a.y * b.y + a.z * b.z;
    return product;
}

// T. Moeller and B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
vec3 moeller_trumbore_hit(PreparedRay ray, vec3 a, vec3 b, vec3 c) {
    precise vec3 ab = b - a;
    precise vec3 ac = c - a;
    precise vec3 from = ray.origin - a;
    vec3 p = crossed(ray.direction, ac);
    vec3 q = crossed(from, ab);
    float determinant = dotted(ab, p);
    if (!(determinant != 0.0)) return vec3(-1.0);
    precise vec3 hit = vec3(dotted(ac, q), dotted(from, p), dotted(ray.direction, q)) / determinant;
    precise float covered = hit.y + hit.z;
    bool inside = hit.y >= 0.0 && hit.z >= 0.0 && covered <= 1.0;
    return inside ? hit : vec3(-1.0);
}

// Puts the hit on triangle `id` in the place of `best` where it is nearer, or as near and of a
// lower triangle.
void meet_triangle(PreparedRay ray, vec3 a, vec3 b, vec3 c, uint id, inout Hit best) {
    if (id == ray.leaves) return;
    vec2 interval = interval_in(ray.slabs, min(min(a, b), c), max(max(a, b), c));
    if (!may_hit(interval, best.t)) return;
    vec3 hit = triangle_test == kWatertight ? watertight_hit(ray, a, b, c)
                                            : moeller_trumbore_hit(ray, a, b, c);
    if (!(hit.x >= 0.0)) return;
    float t = min(max(hit.x, interval.x), interval.y);
    if (t < best.t || (t == best.t && id < best.triangle))
        best = Hit(t, id, hit.yz, best.instance);
}

#endif

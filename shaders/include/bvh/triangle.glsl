// Rays against triangles: one function, so that every tracer finds the same hits to the bit.
// Include bvh/ray.glsl and bvh/box.glsl before.
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

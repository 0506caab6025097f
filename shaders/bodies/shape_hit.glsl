// Where a ray enters a shape, in the shape's own frame. The includer declares `geometry`.
#ifndef BODIES_SHAPE_HIT
#define BODIES_SHAPE_HIT

struct ShapeHit {
    float t; // less than 0: none
    vec3 normal;
};

const ShapeHit kNoShapeHit = ShapeHit(-1.0, vec3(0.0, 1.0, 0.0));

ShapeHit hit_ball(vec3 from, vec3 along, vec3 middle, float radius) {
    vec3 to = middle - from;
    float way = dot(to, along);
    vec3 aside = to - way * along;
    float half_chord = radius * radius - dot(aside, aside);
    if (half_chord < 0.0) return kNoShapeHit;
    float t = way - sqrt(half_chord);
    return ShapeHit(t, (from + t * along - middle) / radius);
}

ShapeHit hit_capsule(vec3 from, vec3 along, float radius, float half_length) {
    float a = dot(along.xz, along.xz);
    float b = dot(from.xz, along.xz);
    float c = dot(from.xz, from.xz) - radius * radius;
    float root = b * b - a * c;
    if (root >= 0.0 && a > 1e-12) {
        float t = (-b - sqrt(root)) / a;
        float y = from.y + t * along.y;
        if (abs(y) <= half_length) {
            vec3 p = from + t * along;
            return ShapeHit(t, vec3(p.x, 0.0, p.z) / radius);
        }
    }
    ShapeHit low = hit_ball(from, along, vec3(0.0, -half_length, 0.0), radius);
    ShapeHit high = hit_ball(from, along, vec3(0.0, half_length, 0.0), radius);
    if (low.t < 0.0) return high;
    if (high.t < 0.0) return low;
    return low.t < high.t ? low : high;
}

// Into all half-spaces of a polyhedron.
ShapeHit hit_faces(vec3 from, vec3 along, Shape shape) {
    float enters = -1e30;
    float leaves = 1e30;
    vec3 normal = vec3(0.0, 1.0, 0.0);
    bool is_box = shape.kind != kHull;
    uvec4 head = is_box ? uvec4(0u, 6u, 0u, 0u) : floatBitsToUint(geometry.values[shape.geometry]);
    for (uint f = 0u; f < head.y; ++f) {
        vec4 plane = vec4(0.0);
        if (is_box) {
            plane[f >> 1u] = (f & 1u) != 0u ? -1.0 : 1.0;
            plane.w = shape.size[f >> 1u];
        } else {
            plane = geometry.values[shape.geometry + 1u + head.x + f];
        }
        float speed = dot(plane.xyz, along);
        float above = dot(plane.xyz, from) - plane.w;
        if (abs(speed) < 1e-12) {
            if (above > 0.0) return kNoShapeHit;
            continue;
        }
        float t = -above / speed;
        if (speed < 0.0) {
            if (t > enters) {
                enters = t;
                normal = plane.xyz;
            }
        } else {
            leaves = min(leaves, t);
        }
    }
    if (enters > leaves || leaves < 0.0) return kNoShapeHit;
    return ShapeHit(enters, normal);
}

// By steps, to where the field's distance becomes 0.
ShapeHit hit_field(vec3 from, vec3 along, Shape shape) {
    Shape box = shape;
    box.kind = kBox;
    ShapeHit outside = hit_faces(from, along, box);
    float t = max(outside.t, 0.0);
    if (outside.t < 0.0 && any(greaterThan(abs(from), shape.size * 1.01))) return kNoShapeHit;
    float longest = 2.0 * length(shape.size);
    float end = t + longest;
    for (uint k = 0u; k < 160u && t < end; ++k) {
        vec3 p = from + t * along;
        if (k > 0u && any(greaterThan(abs(p), shape.size * 1.02))) return kNoShapeHit;
        vec4 field = field_at(shape, p);
        if (field.w < 1e-4 * longest) return ShapeHit(t, field.xyz);
        t += max(0.6 * field.w, 1e-4 * longest);
    }
    return kNoShapeHit;
}

ShapeHit hit_shape(Shape shape, vec3 from, vec3 along) {
    if (shape.kind == kSphere) return hit_ball(from, along, vec3(0.0), shape.size.x);
    if (shape.kind == kCapsule) return hit_capsule(from, along, shape.size.x, shape.size.y);
    if (shape.kind == kHeights || shape.kind == kDistances) return hit_field(from, along, shape);
    return hit_faces(from, along, shape);
}
#endif

// What tracers agree on: a ray, and what it hits.
#ifndef BVH_RAY
#define BVH_RAY

const uint kNoTriangle = 0xffffffffu;
const uint kNoInstance = 0xffffffffu;

// The points origin + t * direction with t from 0 to t_max. The direction need not have unit
// length: t counts in its lengths.
struct Ray {
    vec3 origin;
    float t_max;
    vec3 direction;
    uint leaves; // the triangle that the ray starts on and cannot hit again, or kNoTriangle
};

struct Hit {
    float t;          // the ray's t_max where nothing is hit
    uint triangle;    // or kNoTriangle
    vec2 barycentric; // weights of the triangle's second and third vertex
    uint instance;    // that the triangle is hit in, or kNoInstance where there are none
};

// What the device's own traversal says of a ray, and what the stages of a ray-tracing pipeline hand
// to each other.
struct DeviceHit {
    float t;
    uint triangle;    // or kNoTriangle, then the others mean nothing
    vec2 barycentric; // weights of the triangle's second and third vertex
    uint leaves;      // the triangle that triangles tried one by one leave out
};

float turn_along(vec3 edge, vec3 from, vec3 to) {
    return dot(to - from, edge) / max(dot(edge, edge), 1e-30);
}

// How much the normal of the front turns over a unit of length: the mean over the edges of a triangle
// that has these normals, of any length, at its corners (Akenine-Moeller and others, "Improved Shader
// and Texture Level of Detail Using Ray Cones", JCGT 10(1), 2021).
float curvature_of(vec3 edge_b, vec3 edge_c, vec3 normal_a, vec3 normal_b, vec3 normal_c) {
    if (dot(normal_a, normal_a) * dot(normal_b, normal_b) * dot(normal_c, normal_c) == 0.0) return 0.0;
    vec3 a = normalize(normal_a);
    vec3 b = normalize(normal_b);
    vec3 c = normalize(normal_c);
    return (turn_along(edge_b, a, b) + turn_along(edge_c, a, c) +
            turn_along(edge_c - edge_b, b, c)) / 3.0;
}

#endif

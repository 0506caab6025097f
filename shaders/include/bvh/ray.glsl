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

#endif

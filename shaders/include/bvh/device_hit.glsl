// What the device's own traversal says of a ray, and what the stages of a ray-tracing pipeline hand
// to each other. Include bvh/ray.glsl before.
struct DeviceHit {
    float t;
    uint triangle;    // or kNoTriangle, then the others mean nothing
    vec2 barycentric; // weights of the triangle's second and third vertex
    uint leaves;      // the triangle that triangles tried one by one leave out
};

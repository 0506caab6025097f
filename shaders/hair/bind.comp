#version 460
// The triangle nearest to each root, and where on it.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Corners { float values[]; } corners;
readonly buffer Indices { uint values[]; } indices;
writeonly buffer Bound { vec4 values[]; } bound; // shares of the corners b and c; number of the triangle, exact below 2^24

uniform Params {
    uint count;
    uint vertices;
    uint triangles;
} params;

vec3 corner(uint i) {
    uint at = 3u * indices.values[i];
    return vec3(corners.values[at], corners.values[at + 1u], corners.values[at + 2u]);
}

// Shares of b and c of the point of the triangle that is nearest to the origin.
vec2 nearest(vec3 a, vec3 ab, vec3 ac) {
    float d00 = dot(ab, ab), d01 = dot(ab, ac), d11 = dot(ac, ac);
    float e0 = -dot(a, ab), e1 = -dot(a, ac);
    float det = d00 * d11 - d01 * d01;
    if (det > 0.0) {
        vec2 inside = vec2(d11 * e0 - d01 * e1, d00 * e1 - d01 * e0) / det;
        if (inside.x >= 0.0 && inside.y >= 0.0 && inside.x + inside.y <= 1.0) return inside;
    }
    vec2 best = vec2(d00 > 0.0 ? clamp(e0 / d00, 0.0, 1.0) : 0.0, 0.0);
    vec2 side = vec2(0.0, d11 > 0.0 ? clamp(e1 / d11, 0.0, 1.0) : 0.0);
    vec3 bc = ac - ab;
    float d22 = dot(bc, bc);
    float along = d22 > 0.0 ? clamp(-dot(a + ab, bc) / d22, 0.0, 1.0) : 0.0;
    vec2 across = vec2(1.0 - along, along);
    vec3 p = a + best.x * ab + best.y * ac;
    vec3 q = a + side.x * ab + side.y * ac;
    vec3 r = a + across.x * ab + across.y * ac;
    if (dot(q, q) < dot(p, p)) { best = side; p = q; }
    if (dot(r, r) < dot(p, p)) best = across;
    return best;
}

void main() {
    uint strand = invocation_index();
    if (strand >= params.count) return;
    vec3 root = rest.values[strand * params.vertices].xyz;
    float least = 3e38;
    vec3 best = vec3(0.0);
    for (uint i = 0u; i < params.triangles; ++i) {
        vec3 a = corner(3u * i) - root;
        vec3 ab = corner(3u * i + 1u) - root - a;
        vec3 ac = corner(3u * i + 2u) - root - a;
        vec2 shares = nearest(a, ab, ac);
        vec3 p = a + shares.x * ab + shares.y * ac;
        float squared = dot(p, p);
        if (squared < least) {
            least = squared;
            best = vec3(shares, float(i));
        }
    }
    bound.values[strand] = vec4(best, 0.0);
}

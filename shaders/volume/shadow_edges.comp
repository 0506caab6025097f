#version 460
// Which triangles face the light, and for each edge of these a hash of its ends' places. Edges that
// no shadow needs have the greatest hash, and triangles that are none face away.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint triangle_count;
    uint vertex_count;
    vec3 away; // from the light
} params;

#include "hash.glsl"
#include "shadow_mesh.glsl"

writeonly buffer Hashes { uint values[]; } hashes;
writeonly buffer Facing { uint values[]; } facing;

const uint kNoEdge = 0xffffffffu;

bool are_numbers(vec3 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec3(0x7f800000u)));
}

// The same for both directions of an edge.
uint hash_of(vec3 a, vec3 b) {
    // -0 is where 0 is.
    uvec3 bits = pcg3d(floatBitsToUint(a + 0.0)) + pcg3d(floatBitsToUint(b + 0.0));
    return min(pcg3d(bits).x, kNoEdge - 1u);
}

void main() {
    uint triangle = invocation_index();
    if (triangle >= params.triangle_count) return;
    uvec3 of = corners_of(triangle);
    bool faces = all(lessThan(of, uvec3(params.vertex_count)));
    vec3 points[3];
    for (int k = 0; k < 3; ++k) {
        points[k] = faces ? vertex_position(of[k]) : vec3(0.0);
        faces = faces && are_numbers(points[k]);
    }
    faces = faces &&
            dot(cross(points[1] - points[0], points[2] - points[0]), params.away) < 0.0;
    facing.values[triangle] = faces ? 1u : 0u;
    for (int k = 0; k < 3; ++k)
        hashes.values[3u * triangle + uint(k)] =
            faces ? hash_of(points[k], points[(k + 1) % 3]) : kNoEdge;
}

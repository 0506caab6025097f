#version 460
// The faces of a shadow: caps of the triangles that face the light, and quads from silhouettes.
// An edge of two such triangles is there twice, in opposite directions, and needs no quad. All edges
// between the same two places stand together in a run of equal hashes; the first of them draws what
// remains of their sum.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint triangle_count;
    uint vertex_count;
} params;

#include "shadow_mesh.glsl"

readonly buffer Facing { uint values[]; } facing;
readonly buffer Hashes { uint values[]; } hashes;
readonly buffer Order { uint values[]; } order;
writeonly buffer Corners { uint values[]; } corners;
buffer Arguments { uint words[]; } arguments; // of an indirect draw: the first are the corners

const uint kNoEdge = 0xffffffffu;

void add_triangle(uint at, uint a, uint b, uint c) {
    corners.values[at] = a;
    corners.values[at + 1u] = b;
    corners.values[at + 2u] = c;
}

void add_caps(uint triangle) {
    uvec3 of = corners_of(triangle);
    uvec3 moved = of + params.vertex_count;
    uint at = atomicAdd(arguments.words[0], 6u);
    add_triangle(at, of.x, of.y, of.z);
    add_triangle(at + 3u, moved.x, moved.z, moved.y);
}

void main() {
    uint i = invocation_index();
    if (i == 0u) arguments.words[1] = 1u; // instances
    if (i >= 3u * params.triangle_count) return;
    if (i < params.triangle_count && facing.values[i] != 0u) add_caps(i);

    uint hash = hashes.values[i];
    if (hash == kNoEdge) return;
    uvec2 ends = vertices_of_edge(order.values[i]);
    vec3 a = vertex_position(ends.x);
    vec3 b = vertex_position(ends.y);
    if (a == b) return;
    for (uint j = i; j > 0u && hashes.values[j - 1u] == hash; --j) {
        uvec2 other = vertices_of_edge(order.values[j - 1u]);
        vec3 from = vertex_position(other.x);
        vec3 to = vertex_position(other.y);
        if ((from == a && to == b) || (from == b && to == a)) return; // not the first of them
    }
    int sum = 1;
    for (uint j = i + 1u; j < 3u * params.triangle_count && hashes.values[j] == hash; ++j) {
        uvec2 other = vertices_of_edge(order.values[j]);
        vec3 from = vertex_position(other.x);
        vec3 to = vertex_position(other.y);
        if (from == a && to == b) ++sum;
        if (from == b && to == a) --sum;
    }
    uvec2 turned = sum < 0 ? ends.yx : ends;
    for (int k = abs(sum); k > 0; --k) {
        uint at = atomicAdd(arguments.words[0], 6u);
        // The cap has the edge in this direction, so its neighbour has it in the other.
        add_triangle(at, turned.y, turned.x, turned.x + params.vertex_count);
        add_triangle(at + 3u, turned.y, turned.x + params.vertex_count,
                     turned.y + params.vertex_count);
    }
}

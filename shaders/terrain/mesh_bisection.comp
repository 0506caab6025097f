#version 460
//! variants NODE_WORDS=1,2
// Triangles of the leaves of a bisection, each cut into as many. Of leaves that there are not, all
// corners are vertex 0.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "vertex.glsl"

uniform Params {
    vec4 ground;
    vec4 shape;
    uint room;      // leaves
    uint smoothed;  // 1: normals are found
    uint root_bits; // depth of the squares
    uint cuts;      // triangles a leaf: 2^cuts
} params;

#if NODE_WORDS == 2
readonly buffer Keys { uvec2 nodes[]; } keys;
#else
readonly buffer Keys { uint nodes[]; } keys;
#endif
readonly buffer Leaves { uint words[]; } leaves; // the first is their number
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Indices { uint values[]; } indices;
writeonly buffer Vertices { TerrainVertex elements[]; } vertices;
writeonly buffer Status { uint words[]; } status; // leaves drawn, leaves that there are

void write_vertex(uint i, uint face, uvec2 place, uint level, int step) {
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    SurfacePoint here = surface_point_at(face, place, step, params.smoothed != 0u, terms);
    positions.values[3u * i] = here.point.x;
    positions.values[3u * i + 1u] = here.point.y;
    positions.values[3u * i + 2u] = here.point.z;
    vertices.elements[i].normal = vec4(here.normal, here.height);
    vertices.elements[i].place = vec4(vec2(place) * kPlaceUnit, level, face);
}

void main() {
    uint i = invocation_index();
    uint count = min(leaves.words[0], params.room);
    if (i == 0u) {
        status.words[0] = count;
        status.words[1] = leaves.words[0];
    }
    uint leaf = i >> params.cuts;
    if (leaf >= params.room) return;
    bool there = leaf < count;
    uvec3 corners = there ? uvec3(3u * i, 3u * i + 1u, 3u * i + 2u) : uvec3(0u);
    for (int k = 0; k < 3; ++k) indices.values[3u * i + uint(k)] = corners[k];
    if (!there) {
        if (i == 0u)
            for (uint k = 0u; k < 3u; ++k) positions.values[k] = 0.0;
        return;
    }
    TreeShape shape = TreeShape(0u, params.root_bits, 0u);
#if NODE_WORDS == 2
    uvec2 node = keys.nodes[leaf];
#else
    uvec2 node = uvec2(keys.nodes[leaf], 0u);
#endif
    uint level = wide_depth(node) - shape.root_bits;
    Triangle t = wide_triangle(node, shape);
    for (uint k = params.cuts; k > 0u; --k) t = bisected(t, i >> (k - 1u) & 1u);
    // Children are wound the other way than their parents.
    if ((level + params.cuts & 1u) == 0u) t = Triangle(t.face, t.c, t.b, t.a);
    uvec2 across = max(t.a, t.c) - min(t.a, t.c);
    int step = int(max(max(across.x, across.y) >> 1u, 1u));
    for (uint k = 0u; k < 3u; ++k)
        write_vertex(3u * i + k, t.face, k == 0u ? t.a : k == 1u ? t.b : t.c, level, step);
}

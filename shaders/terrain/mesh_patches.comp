#version 460
//! variants KEY_WORDS=1,2
// Triangles of the grids of a quadtree's leaves. Of leaves that there are not, all corners are vertex 0.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "patch.glsl"
#include "surface.glsl"
#include "vertex.glsl"

uniform Params {
    vec4 ground;
    vec4 shape;
    uint room;     // leaves
    uint smoothed; // 1: normals are found
} params;

readonly buffer Keys { TreeKey values[]; } keys;
readonly buffer Edges { uint values[]; } edges;
readonly buffer Leaves { uint words[]; } leaves; // the first is their number
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Indices { uint values[]; } indices;
writeonly buffer Vertices { TerrainVertex elements[]; } vertices;
writeonly buffer Status { uint words[]; } status; // leaves drawn, leaves that there are

void write_vertex(uint i, uint leaf, uvec2 grid) {
    Node node = node_of(keys.values[leaf]);
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    uvec2 place = stitching == kStitchSnap ? snapped_place(node, grid, edges.values[leaf])
                                           : place_of_vertex(node, grid);
    int step = int((1u << (31u - node.level)) / patch_side);
    SurfacePoint here = surface_point_at(node.face, place, step, params.smoothed != 0u, terms);
    positions.values[3u * i] = here.point.x;
    positions.values[3u * i + 1u] = here.point.y;
    positions.values[3u * i + 2u] = here.point.z;
    vertices.elements[i].normal = vec4(here.normal, here.height);
    vertices.elements[i].place = vec4(vec2(place) * kPlaceUnit, node.level, node.face);
}

void write_triangle(uint i, bool there) {
    uint each = 2u * patch_side * patch_side;
    uint row = patch_side + 1u;
    uint leaf = i / each;
    uint cell = i % each >> 1u;
    uint first = leaf * row * row + cell / patch_side * row + cell % patch_side;
    uvec3 corners = (i & 1u) == 0u ? uvec3(first, first + row, first + 1u)
                                   : uvec3(first + 1u, first + row, first + row + 1u);
    for (int k = 0; k < 3; ++k) indices.values[3u * i + uint(k)] = there ? corners[k] : 0u;
}

void main() {
    uint i = invocation_index();
    uint count = min(leaves.words[0], params.room);
    if (i == 0u) {
        status.words[0] = count;
        status.words[1] = leaves.words[0];
    }
    uint row = patch_side + 1u;
    uint leaf = i / (row * row);
    if (leaf < count) {
        write_vertex(i, leaf, uvec2(i % row, i / row % row));
    } else if (i == 0u) {
        for (uint k = 0u; k < 3u; ++k) positions.values[k] = 0.0;
    }
    uint each = 2u * patch_side * patch_side;
    if (i / each < params.room) write_triangle(i, i / each < count);
}

#version 460
// What lies behind the surface's vertices and triangles in their arrays is filled: triangles of one
// point, which everybody leaves out, and points at the origin. So is what belongs to blocks without
// room, which are the last ones. The first invocation writes the counts.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "status.glsl"

uniform Params {
    uint vertex_room;
    uint triangle_room;
    uint block_room;
    uint cell_room;
} params;

readonly buffer VertexCount { uint words[]; } vertex_count;
readonly buffer TriangleCount { uint words[]; } triangle_count;
readonly buffer UsedCount { uint words[]; } used_count; // blocks, or cells
readonly buffer FirstVertices { uint numbers[]; } first_vertices;
readonly buffer FirstTriangles { uint numbers[]; } first_triangles;
buffer Positions { float numbers[]; } positions;
buffer Normals { float numbers[]; } normals;
buffer Indices { uint numbers[]; } indices;
buffer Status { SurfaceStatus elements[]; } surface_status;
writeonly buffer DrawArguments { uint words[]; } draw_arguments; // VkDrawIndexedIndirectCommand

// Three of them a triangle where they are the corners of triangles, one by one.
layout(constant_id = 0) const uint kVerticesATriangle = 0u;
layout(constant_id = 1) const uint kHasBlocks = 0u;

void main() {
    uint i = invocation_index();
    uint triangles = triangle_count.words[0];
    uint vertices = kVerticesATriangle == 0u ? vertex_count.words[0] : 3u * triangles;
    uint made_vertices = vertices;
    uint made_triangles = triangles;
    if (kHasBlocks != 0u && used_count.words[0] > params.block_room) {
        made_vertices = first_vertices.numbers[params.block_room];
        made_triangles = first_triangles.numbers[params.block_room];
    }
    if (i >= made_vertices && i < params.vertex_room)
        for (uint k = 0u; k < 3u; ++k) {
            positions.numbers[3u * i + k] = 0.0;
            normals.numbers[3u * i + k] = 0.0;
        }
    if (i >= made_triangles && i < params.triangle_room)
        for (uint k = 0u; k < 3u; ++k)
            indices.numbers[3u * i + k] = 0u;
    if (i != 0u) return;
    surface_status.elements[0].vertices = vertices;
    surface_status.elements[0].triangles = triangles;
    surface_status.elements[0].blocks = params.block_room == 0u ? 0u : used_count.words[0];
    surface_status.elements[0].cells = params.cell_room == 0u ? 0u : used_count.words[0];
    surface_status.elements[0].vertex_room = params.vertex_room;
    surface_status.elements[0].triangle_room = params.triangle_room;
    surface_status.elements[0].block_room = params.block_room;
    surface_status.elements[0].cell_room = params.cell_room;
    draw_arguments.words[0] = 3u * min(triangles, params.triangle_room);
    draw_arguments.words[1] = 1u;
    draw_arguments.words[2] = 0u;
    draw_arguments.words[3] = 0u;
    draw_arguments.words[4] = 0u;
}

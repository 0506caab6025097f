#version 460
// Writes the mesh of a medium among those of others: its vertices from number `first_vertex` on, its
// triangles from `first_triangle` on.

layout(local_size_x = 256) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_normals = 0u;
layout(constant_id = 1) const uint has_arguments = 0u; // 0: all triangles are drawn

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint first_vertex;
    uint first_triangle;
    uint medium;
} params;

readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Normals { float values[]; } normals;
// Of an indirect draw: vertices, instances, first vertex.
readonly buffer Arguments { uint words[]; } arguments;
writeonly buffer MergedPositions { float values[]; } merged_positions;
writeonly buffer MergedNormals { float values[]; } merged_normals; // 0: the triangle's
writeonly buffer MergedIndices { uint values[]; } merged_indices;
writeonly buffer Owners { uint values[]; } owners; // the medium of each triangle

bool is_drawn(uint triangle) {
    if (has_arguments == 0u) return true;
    uint corner = 3u * triangle - arguments.words[2];
    return arguments.words[1] > 0u && corner < arguments.words[0] &&
           corner + 2u < arguments.words[0];
}

void main() {
    uint i = invocation_index();
    if (i < params.vertex_count) {
        bool own = has_normals != 0u && 3u * i + 2u < uint(normals.values.length());
        for (uint k = 0u; k < 3u; ++k) {
            uint to = 3u * (params.first_vertex + i) + k;
            merged_positions.values[to] = positions.values[3u * i + k];
            merged_normals.values[to] = own ? normals.values[3u * i + k] : 0.0;
        }
    }
    if (i < params.triangle_count) {
        bool drawn = is_drawn(i);
        for (uint k = 0u; k < 3u; ++k) {
            uint vertex = indices.values[3u * i + k];
            // A vertex that there is not stays one, and is not that of another mesh. Triangles that
            // are not drawn have no area.
            uint number = vertex < params.vertex_count ? params.first_vertex + vertex : 0xffffffffu;
            merged_indices.values[3u * (params.first_triangle + i) + k] =
                drawn ? number : params.first_vertex;
        }
        owners.values[params.first_triangle + i] = params.medium;
    }
}

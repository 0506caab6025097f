#version 460
// A mesh in one array of words, which programs write as a file: a header, and behind it positions,
// normals and indices. tuff/mesh.hpp says what lies where.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint vertices;  // that there is room for
    uint triangles;
    uint has_counts;
    uint has_normals;
} params;

readonly buffer Positions { uint words[]; } positions;
readonly buffer Normals { uint words[]; } normals;
readonly buffer Indices { uint words[]; } indices;
readonly buffer Counts { uint words[]; } counts;
writeonly buffer MeshFile { uint words[]; } mesh_file;

const uint kMagic = 0x6853654du; // "MeSh"
const uint kHeaderWords = 8u;

void main() {
    uint i = invocation_index();
    uint vertices = params.vertices;
    uint triangles = params.triangles;
    if (params.has_counts != 0u) {
        vertices = min(vertices, counts.words[0]);
        triangles = min(triangles, counts.words[1]);
    }
    uint normals_at = kHeaderWords + 3u * params.vertices;
    uint indices_at = normals_at + (params.has_normals != 0u ? 3u * params.vertices : 0u);
    if (i == 0u) {
        mesh_file.words[0] = kMagic;
        mesh_file.words[1] = vertices;
        mesh_file.words[2] = triangles;
        mesh_file.words[3] = params.has_normals != 0u ? normals_at : 0u;
        mesh_file.words[4] = indices_at;
        mesh_file.words[5] = 0u;
        mesh_file.words[6] = 0u;
        mesh_file.words[7] = 0u;
    }
    // What is behind is zero, for files of the whole buffer.
    if (i < 3u * params.vertices) {
        bool is_there = i < 3u * vertices;
        mesh_file.words[kHeaderWords + i] = is_there ? positions.words[i] : 0u;
        if (params.has_normals != 0u)
            mesh_file.words[normals_at + i] = is_there ? normals.words[i] : 0u;
    }
    if (i < 3u * params.triangles)
        mesh_file.words[indices_at + i] = i < 3u * triangles ? indices.words[i] : 0u;
}

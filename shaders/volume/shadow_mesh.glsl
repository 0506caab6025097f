// A mesh that casts a shadow. Declare in `Params`: uint vertex_count and triangle_count.
readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;

vec3 vertex_position(uint vertex) {
    uint at = 3u * vertex;
    return vec3(positions.values[at], positions.values[at + 1u], positions.values[at + 2u]);
}

uvec3 corners_of(uint triangle) {
    return uvec3(indices.values[3u * triangle], indices.values[3u * triangle + 1u],
                 indices.values[3u * triangle + 2u]);
}

// Edge number k of triangle t is number 3 t + k, from its corner k to the next.
uvec2 vertices_of_edge(uint edge) {
    uint triangle = edge / 3u;
    uint k = edge - 3u * triangle;
    return uvec2(indices.values[edge], indices.values[3u * triangle + (k == 2u ? 0u : k + 1u)]);
}

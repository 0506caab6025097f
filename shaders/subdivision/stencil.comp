#version 460
//! variants LIMIT=0,1
// Vertices as sums of others with weights. With LIMIT three sums a vertex: its place on the limit
// surface, and two tangents.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Source { float values[]; } source; // three a vertex
readonly buffer Ends { uint values[]; } ends;      // of each sum's terms
readonly buffer Terms { uint values[]; } terms;
readonly buffer Weights { float values[]; } weights;
writeonly buffer Result { float values[]; } result;
#if LIMIT
writeonly buffer Normals { vec4 elements[]; } normals;
#endif

uniform Params {
    uint vertex_count;
    uint on_limit; // 0: places are those of the source
} params;

vec3 place(uint vertex) {
    return vec3(source.values[3u * vertex], source.values[3u * vertex + 1u], source.values[3u * vertex + 2u]);
}

vec3 sum_of(uint stencil) {
    vec3 sum = vec3(0.0);
    uint end = ends.values[stencil];
    for (uint i = stencil == 0u ? 0u : ends.values[stencil - 1u]; i < end; ++i)
        sum += weights.values[i] * place(terms.values[i]);
    return sum;
}

void main() {
    uint vertex = invocation_index();
    if (vertex >= params.vertex_count) return;
#if LIMIT
    vec3 at = params.on_limit != 0u ? sum_of(3u * vertex) : place(vertex);
    vec3 normal = cross(sum_of(3u * vertex + 1u), sum_of(3u * vertex + 2u));
    float size = length(normal);
    normals.elements[vertex] = vec4(size > 1e-30 ? normal / size : vec3(0.0, 1.0, 0.0), 0.0);
#else
    vec3 at = sum_of(vertex);
#endif
    for (uint k = 0u; k < 3u; ++k)
        result.values[3u * vertex + k] = at[k];
}

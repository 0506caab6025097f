#version 460
// The vertices of a scene as morph targets, then skins move them; all others as they are.

layout(local_size_x = 128) in;

#include "invocation.glsl"
#include "motion_structs.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Ranges { MotionRange elements[]; } ranges; // by first vertex
readonly buffer Influences { uint words[]; } influences;
readonly buffer Deltas { float values[]; } deltas;
readonly buffer Weights { float values[]; } weights; // of morph targets
readonly buffer Palette { vec4 rows[]; } palette;    // three a joint
writeonly buffer Moved { Vertex elements[]; } moved;

uniform Params {
    uint vertex_count;
    uint range_count;
} params;

const uint kSetWords = 6; // four joints of 16 bits, four weights

// The last range that begins at the vertex or before; the first where there is none.
uint range_of(uint vertex) {
    uint first = 0u;
    uint end = params.range_count;
    while (end - first > 1u) {
        uint middle = first + (end - first) / 2u;
        if (ranges.elements[middle].first_vertex <= vertex)
            first = middle;
        else
            end = middle;
    }
    return first;
}

vec3 delta_at(uint first) {
    return vec3(deltas.values[first], deltas.values[first + 1u], deltas.values[first + 2u]);
}

void morph(MotionRange range, uint vertex, inout Vertex moving) {
    uint stride = 3u * (1u + range.has_normals + range.has_tangents);
    for (uint target = 0u; target < range.target_count; ++target) {
        float weight = weights.values[range.first_weight + target];
        if (weight == 0.0) continue;
        uint first = range.first_delta + (target * range.vertex_count + vertex) * stride;
        moving.position += weight * delta_at(first);
        if (range.has_normals != 0u) moving.normal += weight * delta_at(first + 3u);
        if (range.has_tangents != 0u)
            moving.tangent.xyz += weight * delta_at(first + 3u + 3u * range.has_normals);
    }
}

void add_joint(uint joint, float weight, inout vec4 rows[3]) {
    if (weight == 0.0) return;
    for (uint row = 0u; row < 3u; ++row)
        rows[row] += weight * palette.rows[3u * joint + row];
}

void skin(MotionRange range, uint vertex, inout Vertex moving) {
    vec4 rows[3] = vec4[](vec4(0.0), vec4(0.0), vec4(0.0));
    for (uint set = 0u; set < range.influence_sets; ++set) {
        uint at = range.first_influence + (vertex * range.influence_sets + set) * kSetWords;
        uvec2 pairs = uvec2(influences.words[at], influences.words[at + 1u]);
        for (uint i = 0u; i < 4u; ++i)
            add_joint(range.first_joint + (pairs[i >> 1] >> (16u * (i & 1u)) & 0xffffu),
                      uintBitsToFloat(influences.words[at + 2u + i]), rows);
    }
    vec4 position = vec4(moving.position, 1.0);
    moving.position = vec3(dot(rows[0], position), dot(rows[1], position), dot(rows[2], position));
    vec3 t = moving.tangent.xyz;
    moving.tangent.xyz = vec3(dot(rows[0].xyz, t), dot(rows[1].xyz, t), dot(rows[2].xyz, t));
    // Cofactors are the inverse transpose times the determinant, whose sign must go.
    vec3 cofactors = cross(rows[1].xyz, rows[2].xyz);
    float side = dot(rows[0].xyz, cofactors) < 0.0 ? -1.0 : 1.0;
    vec3 n = side * moving.normal;
    moving.normal = vec3(dot(cofactors, n), dot(cross(rows[2].xyz, rows[0].xyz), n),
                         dot(cross(rows[0].xyz, rows[1].xyz), n));
    moving.tangent.w *= side;
}

// Of length 1; what was there before, where nothing is left of it.
vec3 unit_or(vec3 v, vec3 before) {
    float size = length(v);
    return size > 0.0 ? v / size : before;
}

void main() {
    uint i = invocation_index();
    if (i >= params.vertex_count) return;
    Vertex vertex = vertices.elements[i];
    MotionRange range = ranges.elements[range_of(i)];
    uint own = i - range.first_vertex; // huge where the vertex comes before all ranges
    if (own < range.vertex_count) {
        Vertex moving = vertex;
        morph(range, own, moving);
        if (range.influence_sets != 0u) skin(range, own, moving);
        vertex.position = moving.position;
        vertex.normal = unit_or(moving.normal, vertex.normal);
        vertex.tangent = vec4(unit_or(moving.tangent.xyz, vertex.tangent.xyz), moving.tangent.w);
    }
    moved.elements[i] = vertex;
}

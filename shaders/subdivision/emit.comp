#version 460
//! variants LAST=0,1
// Triangles of records that stay, and slivers of records that are split beside coarser ones.

layout(local_size_x = 64) in;

#include "fan.glsl"
#include "invocation.glsl"
#if LAST // all stay, and nothing was counted
#include "state.glsl"

readonly buffer Links { uvec4 elements[]; } links;
#else
#include "middle.glsl"

readonly buffer Verdicts { uint values[]; } verdicts;
readonly buffer EmittedBefore { uint values[]; } emitted_before;
buffer Coarsest { uint levels[]; } coarsest; // of vertices: of triangles that stay
layout(constant_id = 0) const uint marks_corners = 0u;
#endif

readonly buffer Step { LevelStep value; } step_of_level;
readonly buffer Normals { vec4 elements[]; } normals;
writeonly buffer Indices { uint values[]; } indices;
writeonly buffer CornerNormals { float values[]; } corner_normals;
writeonly buffer Tags { uvec2 elements[]; } tags;

uniform Params {
    uint room;
    uint triangle_room;
    uint level;
} params;

const uint kWhole = 0u; // kinds of triangles, passes/subdivision/adaptive.hpp
const uint kPart = 1u;
const uint kSliver = 2u;

struct Corner {
    uint vertex;
    vec3 normal; // of this side of creases
};

void put(uint triangle, Corner a, Corner b, Corner c, uint kind, uint origin) {
    if (triangle >= params.triangle_room) return; // never: the level would not be split
    uint at = 3u * triangle;
    indices.values[at] = a.vertex;
    indices.values[at + 1u] = b.vertex;
    indices.values[at + 2u] = c.vertex;
    vec3 normal[3] = vec3[3](a.normal, b.normal, c.normal);
    for (uint k = 0u; k < 3u; ++k)
        for (uint j = 0u; j < 3u; ++j)
            corner_normals.values[3u * (at + k) + j] = normal[k][j];
    tags.elements[triangle] = uvec2(origin, params.level | kind << 8);
}

Corner corner_at(Record record, uint k) {
    uint vertex = record.vertices[k];
    vec4 normal = normals.elements[vertex];
    return Corner(vertex, normal.w == 0.0 ? normal.xyz : normal_of_side(fan_of(record, k)));
}

#if LAST
void main() {
    uint i = invocation_index();
    LevelStep step_now = step_of_level.value;
    if (i >= step_now.records) return;
    Record record = record_at(i, params.room);
    Corner corner[3];
    for (uint k = 0u; k < 3u; ++k)
        corner[k] = corner_at(record, k);
    put(step_now.first_triangle + i, corner[0], corner[1], corner[2], kWhole, links.elements[i].w);
}
#else
Corner middle_between(uint index, uint edge, uint first_vertex, Corner a, Corner b) {
    uint vertex = middle_of(index, edge, first_vertex);
    vec4 normal = normals.elements[vertex];
    return Corner(vertex, normal.w == 0.0 ? normal.xyz : unit_or(a.normal + b.normal, a.normal));
}

// The corners of a triangle that stays, and where finer ones divide its edges.
void mark_corners(Corner corner[3], Corner middle[3], uint joins) {
    for (uint k = 0u; k < 3u; ++k) {
        atomicMin(coarsest.levels[corner[k].vertex], params.level);
        if ((joins >> k & 1u) != 0u) atomicMin(coarsest.levels[middle[k].vertex], params.level);
    }
}

// A triangle that stays, cut to fit where `joins` says so.
void put_parts(uint joins, uint triangle, Corner corner[3], Corner middle[3], uint origin) {
    if (joins == 7u) {
        for (uint k = 0u; k < 3u; ++k)
            put(triangle++, corner[k], middle[k], middle[following(following(k))], kPart, origin);
        put(triangle, middle[0], middle[1], middle[2], kPart, origin);
        return;
    }
    // The edge that is joined and follows one that is not.
    uint x = 0u;
    for (uint k = 0u; k < 3u; ++k)
        if ((joins >> k & 1u) != 0u && (joins >> following(following(k)) & 1u) == 0u) x = k;
    uint y = following(x);
    uint z = following(y);
    if (bitCount(joins) == 1) {
        put(triangle, corner[x], middle[x], corner[z], kPart, origin);
        put(triangle + 1u, middle[x], corner[y], corner[z], kPart, origin);
    } else {
        put(triangle, middle[x], corner[y], middle[y], kPart, origin);
        put(triangle + 1u, corner[x], middle[x], middle[y], kPart, origin);
        put(triangle + 2u, corner[x], middle[y], corner[z], kPart, origin);
    }
}

void main() {
    uint i = invocation_index();
    LevelStep step_now = step_of_level.value;
    if (i >= step_now.records) return;
    bool split = step_now.split != 0u && verdicts.values[i] != 0u;
    uint joins = step_now.split != 0u ? marks.values[i] >> kMarkJoins : 0u;
    if (split && joins == 0u) return;
    uint triangle = step_now.first_triangle + (step_now.split != 0u ? emitted_before.values[i] : i);
    Record record = record_at(i, params.room);
    uint origin = links.elements[i].w;
    Corner corner[3];
    Corner middle[3];
    for (uint k = 0u; k < 3u; ++k)
        corner[k] = corner_at(record, k);
    for (uint k = 0u; k < 3u; ++k)
        if ((joins >> k & 1u) != 0u)
            middle[k] = middle_between(i, k, step_now.first_vertex, corner[k], corner[following(k)]);
    if (marks_corners != 0u && !split) mark_corners(corner, middle, joins);
    if (joins == 0u) {
        put(triangle, corner[0], corner[1], corner[2], kWhole, origin);
        return;
    }
    if (!split) {
        put_parts(joins, triangle, corner, middle, origin);
        return;
    }
    for (uint k = 0u; k < 3u; ++k)
        if ((joins >> k & 1u) != 0u)
            put(triangle++, corner[k], corner[following(k)], middle[k], kSliver, origin);
}
#endif

#version 460
// Which records have to be split.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint criterion = 0u;
layout(constant_id = 1) const uint looks_ahead = 0u; // 1: whether two levels are needed is said, too

#include "invocation.glsl"
#include "record.glsl"

const uint kDepth = 0u; // passes/subdivision/adaptive.hpp
const uint kEdges = 1u;
const uint kFlatness = 2u;
const uint kAngle = 3u;

readonly buffer RecordCount { uint value; } record_count;
readonly buffer Positions { float values[]; } positions; // on the limit surface
readonly buffer Normals { vec4 elements[]; } normals;
writeonly buffer Verdicts { uint values[]; } verdicts; // levels that are needed, 0 to 2
buffer Wanted { uint steps[]; } wanted; // of vertices: 1 + the last level where a record needed two

uniform Params {
    vec3 eye;
    float pixels_of_unit; // at distance 1, or at all distances
    float limit;          // pixels or radians
    uint perspective;
    uint room;
    uint level;
} params;

vec3 position_of(uint vertex) {
    return vec3(positions.values[3u * vertex], positions.values[3u * vertex + 1u],
                positions.values[3u * vertex + 2u]);
}

float pixels(float size, vec3 where) {
    float far = params.perspective != 0u ? max(distance(where, params.eye), 1e-20) : 1.0;
    return size * params.pixels_of_unit / far;
}

// How far the middle of an edge moves away from it.
float rise_of_edge(Record record, uint edge) {
    if (edge_sharpness(record, edge) >= kSharpnessUnits) return 0.0;
    uint next = following(edge);
    vec3 a = corner_of(record, edge);
    vec3 b = corner_of(record, next);
    vec3 c = corner_of(record, following(next));
    vec3 d = spoke_of(record, next, 2u).position;
    vec3 up = cross(b - a, d - c);
    float size = length(up);
    return size > 0.0 ? abs(dot((c - a) + (d - b), up)) / (8.0 * size) : 0.0;
}

// How far a corner is from its limit, across the surface where that is smooth.
float rise_of_corner(Record record, uint corner) {
    uint vertex = record.vertices[corner];
    vec3 away = position_of(vertex) - corner_of(record, corner);
    vec4 normal = normals.elements[vertex];
    return normal.w == 0.0 ? abs(dot(away, normal.xyz)) : length(away);
}

bool is_split(Record record, float limit) {
    if (criterion == kDepth) return true;
    vec3 at[3];
    for (uint k = 0u; k < 3u; ++k)
        at[k] = position_of(record.vertices[k]);
    float longest = 0.0;
    for (uint k = 0u; k < 3u; ++k) {
        vec3 other = at[following(k)];
        float size = distance(at[k], other);
        longest = max(longest, size);
        if (criterion == kEdges && pixels(size, 0.5 * (at[k] + other)) > limit) return true;
    }
    if (criterion == kEdges) return false;
    float rise = 0.0;
    for (uint k = 0u; k < 3u; ++k)
        rise = max(rise, max(rise_of_edge(record, k), rise_of_corner(record, k)));
    if (criterion == kFlatness) return pixels(rise, (at[0] + at[1] + at[2]) / 3.0) > limit;
    // An arc of angle t above a chord s rises by s t / 8.
    return 8.0 * rise > limit * longest;
}

void main() {
    uint i = invocation_index();
    if (i >= min(record_count.value, params.room)) return;
    Record record = record_at(i, params.room);
    uint verdict = is_split(record, params.limit) ? 1u : 0u;
    // What a level takes away: half of lengths and angles, three quarters of heights.
    const float kOfLevel = criterion == kFlatness ? 4.0 : 2.0;
    if (looks_ahead != 0u && criterion != kDepth && verdict != 0u &&
        is_split(record, kOfLevel * params.limit)) {
        verdict = 2u;
        for (uint k = 0u; k < 3u; ++k)
            atomicMax(wanted.steps[record.vertices[k]], params.level + 1u);
    }
    verdicts.values[i] = verdict;
}

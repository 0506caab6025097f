#version 460
// Where new vertices lie on the limit surface, and its normals there.

layout(local_size_x = 64) in;

#include "fan.glsl"
#include "invocation.glsl"
#include "state.glsl"

readonly buffer Sources { uint values[]; } sources; // of each new vertex: 4 * record + corner
readonly buffer BornCount { uint value; } born_count;   // of new vertices
readonly buffer Step { LevelStep value; } step_of_level;
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Normals { vec4 elements[]; } normals; // w: 1 where edges are sharp

uniform Params {
    uint most;
    uint room; // for records
    uint vertex_room;
} params;

void main() {
    uint i = invocation_index();
    if (i >= min(born_count.value, params.most)) return;
    uint vertex = step_of_level.value.first_vertex + i;
    uint source = sources.values[i];
    if (vertex >= params.vertex_room || source == 0xffffffffu) return; // of no triangle
    uint corner = source & 3u;
    Record record = record_at(source >> 2, params.room);
    Fan fan = fan_of(record, corner);
    vec3 normal = normal_of_side(fan);
    bool smooth_here = is_smooth(fan);
    // Where two sides meet, the mean of both.
    if (!fan.is_fixed && sharp_edges(fan) == 2u && !is_at_boundary(record, corner)) {
        uint other = 1u;
        while (other < fan.valence && fan_sharpness[other] == 0u)
            ++other;
        vec3 across = unit_or(sector_normal(fan, round_ring(fan, other)), normal);
        normal = unit_or(normal + across, normal);
    }
    // Where a crease ends, the rules of its last edge are others than those that the mask of limits is
    // made for: as many levels as floats can tell apart.
    const uint kLevelsOfEnd = 20u;
    if (smooth_here && sharp_edges(fan) == 1u)
        for (uint level = 0u; level < kLevelsOfEnd; ++level)
            subdivide(fan);
    vec3 position = limit_position(fan);
    positions.values[3u * vertex] = position.x;
    positions.values[3u * vertex + 1u] = position.y;
    positions.values[3u * vertex + 2u] = position.z;
    normals.elements[vertex] = vec4(normal, smooth_here ? 0.0 : 1.0);
}

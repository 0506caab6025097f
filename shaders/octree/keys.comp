#version 460
// The key of each point; 0 for points outside the root and those that are not finite.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "key.glsl"

uniform Params {
    vec3 center;
    float cells_a_unit;
    uint points;
} params;

readonly buffer Points { uvec4 values[]; } points; // place, color
layout(constant_id = 0) const uint has_count = 0u;
readonly buffer Count { uint words[]; } count;
writeonly buffer Keys { uint words[]; } keys;

void main() {
    uint i = invocation_index();
    if (i >= params.points) return;
    uvec2 key = kNoKey;
    if (has_count == 0u || i < count.words[0]) {
        vec3 place = uintBitsToFloat(points.values[i].xyz);
        vec3 cells = in_cells(place, params.center, params.cells_a_unit);
        if (is_finite(place) && is_inside(cells)) key = key_of(cell_of(cells));
    }
    keys.words[kKeyWords * i] = key.x;
    if (kKeyWords == 2u) keys.words[2u * i + 1u] = key.y;
}

#version 460
// Which records are split where levels around a corner are to differ by one at most: none with a corner
// that belongs to a triangle of a coarser level, and also those about a corner of one that needs two levels,
// lest it has to wait for them.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer RecordCount { uint value; } record_count;
readonly buffer Heads { uvec4 elements[]; } heads;  // of records: the last three words are vertices
readonly buffer Wishes { uint values[]; } wishes;   // levels that are needed, 0 to 2
readonly buffer Wanted { uint steps[]; } wanted;    // of vertices: 1 + the last level where one needed two
readonly buffer Coarsest { uint levels[]; } coarsest; // of vertices: of triangles that stay
writeonly buffer Verdicts { uint values[]; } verdicts;

uniform Params {
    uint room;
    uint level;
} params;

void main() {
    uint i = invocation_index();
    if (i >= min(record_count.value, params.room)) return;
    uvec3 vertices = heads.elements[i].yzw;
    bool split = wishes.values[i] != 0u;
    bool beside_coarser = false;
    for (uint k = 0u; k < 3u; ++k) {
        if (wanted.steps[vertices[k]] == params.level + 1u) split = true;
        if (coarsest.levels[vertices[k]] < params.level) beside_coarser = true;
    }
    verdicts.values[i] = split && !beside_coarser ? 1u : 0u;
}

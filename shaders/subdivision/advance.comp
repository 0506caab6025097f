#version 460
//! variants LAST=0,1
// From a level to the next: whether there is room for what it makes. Where there is none, the level is
// left as it is, whole, so that there are no holes.

layout(local_size_x = 1) in;

#include "state.glsl"

readonly buffer RecordCount { uint value; } record_count;
#if !LAST
readonly buffer SplitTotal { uint value; } split_total;
readonly buffer OwnedTotal { uint value; } owned_total;
readonly buffer EmittedTotal { uint value; } emitted_total;
writeonly buffer NextCount { uint value; } next_count;
writeonly buffer BornCount { uint value; } born_count;
#endif
buffer Status { SubdivisionState elements[]; } subdivision_status;
writeonly buffer Step { LevelStep value; } step_of_level;

uniform Params {
    uint level;
    uint next_room; // records
} params;

void main() {
    SubdivisionState state = subdivision_status.elements[0];
    uint records = record_count.value;
    LevelStep step_now = LevelStep(0u, state.triangles, state.vertices, records);
#if LAST
    state.triangles += records;
#else
    uint children = 4u * split_total.value;
    uint needed = state.triangles + emitted_total.value + children;
    bool fits = children <= params.next_room && needed <= state.room;
    state.needed = max(state.needed, needed);
    if (!fits && children > 0u) state.stopped += 1u;
    if (fits && children > 0u) {
        step_now.split = 1u;
        // Triangles that stay make one each, the others are slivers or parts of fans.
        state.level = params.level + 1u;
        state.triangles += emitted_total.value;
        state.vertices += owned_total.value;
    } else {
        state.triangles += records;
    }
    next_count.value = step_now.split != 0u ? children : 0u;
    born_count.value = step_now.split != 0u ? owned_total.value : 0u;
#endif
    step_of_level.value = step_now;
    subdivision_status.elements[0] = state;
}

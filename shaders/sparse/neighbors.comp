#version 460
// The slot words of the 27 bricks around each active one. CLEARS: also empties the map and the list
// that the claims of the next execution begin with.
//! variants CLEARS=0,1

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kPeriodic = 0u; // a bit for each axis

#include "invocation.glsl"
#include "sparse/map.glsl"

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} brick_list;
writeonly buffer BrickNeighbors { uint words[]; } brick_neighbors;
#if CLEARS
writeonly buffer NextMap { uint words[]; } next_map;
writeonly buffer NextList { uint words[]; } next_list; // of its entries none is read without a count
#endif

// The brick on the other side of the domain, along periodic axes.
ivec3 wrapped(ivec3 brick) {
    for (int axis = 0; axis < 3; ++axis)
        if ((kPeriodic >> uint(axis) & 1u) != 0u)
            brick[axis] = (brick[axis] + kBrickGrid[axis]) % kBrickGrid[axis];
    return brick;
}

#if CLEARS
void clear_claims() {
    uint all = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_WorkGroupSize.x;
    for (uint i = invocation_index(); i < next_map.words.length(); i += all)
        next_map.words[i] = kNoBrick;
    if (invocation_index() < 4u) next_list.words[invocation_index()] = 0u;
}
#endif

void main() {
#if CLEARS
    clear_claims();
#endif
    uint i = invocation_index() / 32u;
    int n = int(gl_LocalInvocationID.x % 32u);
    if (i >= brick_list.count || n >= 27) return;
    uvec2 entry = brick_list.entries[i];
    ivec3 brick = wrapped(brick_at(entry.x) + ivec3(n % 3, n / 3 % 3, n / 9) - 1);
    uint word = is_in_grid(brick) ? find_brick(brick_number(brick)) : kNoBrick;
    brick_neighbors.words[27u * slot_of(entry.y) + uint(n)] = is_active(word) ? word : kNoBrick;
}

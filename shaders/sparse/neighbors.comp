#version 460
// The slot words of the 27 bricks around each active one.

layout(local_size_x = 32) in;

#include "invocation.glsl"
#include "sparse/map.glsl"

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} brick_list;
writeonly buffer BrickNeighbors { uint words[]; } brick_neighbors;

void main() {
    uint i = group_index();
    int n = int(gl_LocalInvocationID.x);
    if (i >= brick_list.count || n >= 27) return;
    uvec2 entry = brick_list.entries[i];
    ivec3 brick = brick_at(entry.x) + ivec3(n % 3, n / 3 % 3, n / 9) - 1;
    uint word = is_in_grid(brick) ? find_brick(brick_number(brick)) : kNoBrick;
    brick_neighbors.words[27u * slot_of(entry.y) + uint(n)] = is_active(word) ? word : kNoBrick;
}

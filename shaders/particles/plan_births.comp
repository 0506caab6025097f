#version 460
// How many particles a step gives birth to: as many as are due, while there is room.

layout(local_size_x = 1) in;

readonly buffer Before {
    uint alive;
    uint born;
    uint died;
    uint not_born;
    uint steps;
    uint owed;
    uint due;
} before;
readonly buffer Kept { uint count; } kept; // particles that live on
writeonly buffer After {
    uint alive;
    uint born;
    uint died;
    uint not_born;
    uint steps;
    uint owed; // 2^-32 particles
    uint due;
} after;

uniform Params {
    uint room;
    uint whole; // births of a step
    uint part;  // and 2^-32 of one
} params;

void main() {
    // Whole numbers, so that the count is the same on every device, and exact after any time.
    uint owed = before.owed + params.part;
    uint due = params.whole + (owed < before.owed ? 1u : 0u);
    uint survivors = min(kept.count, params.room);
    uint born = min(due, params.room - survivors);
    after.alive = survivors + born;
    after.born = before.born + born;
    after.died = before.died + min(before.alive, params.room) - survivors;
    after.not_born = before.not_born + due - born;
    after.steps = before.steps + 1u;
    after.owed = owed;
    after.due = due;
}

#version 460
// How many pairs and constraints there are, and of groups for them.

layout(local_size_x = 1) in;

#include "status.glsl"

readonly buffer Total { uint count; } total;
writeonly buffer Tally { uint words[]; } tally; // pairs; constraints; groups of 64 for each
writeonly buffer Constraints { uint count; } constraints; // for sorting
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uint room;
    uint joints;
} params;

void put_groups(uint at, uint count) {
    const uint kMaxGroups = 65535u;
    uint groups = max((count + 63u) / 64u, 1u);
    uint rows = (groups + kMaxGroups - 1u) / kMaxGroups;
    tally.words[at] = rows > 1u ? kMaxGroups : groups;
    tally.words[at + 1u] = rows;
    tally.words[at + 2u] = 1u;
}

void main() {
    uint pairs = min(total.count, params.room);
    tally.words[0] = pairs;
    tally.words[1] = pairs + params.joints;
    constraints.count = pairs + params.joints;
    put_groups(2u, pairs);
    put_groups(5u, pairs + params.joints);
    status.elements[0].pairs = max(status.elements[0].pairs, total.count);
    status.elements[0].lost_pairs += total.count - pairs;
    status.elements[0].contacts = 0u;
    status.elements[0].points = 0u;
    status.elements[0].deepest = 0u;
    status.elements[0].residual = 0u;
    status.elements[0].asleep = 0u;
}

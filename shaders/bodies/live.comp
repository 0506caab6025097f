#version 460
// Where there is one cell: the constraints that move something, in their order, then the others. One group
// does it, for few of them.

layout(local_size_x = 256) in;

readonly buffer Tally { uint words[]; } tally;
readonly buffer Unsorted { uint values[]; } unsorted; // 0: live
writeonly buffer Keys { uint values[]; } keys;
writeonly buffer Order { uint values[]; } order;
writeonly buffer Ranges { uvec2 values[]; } ranges;

shared uint sums[256];
shared uint lives;

// How many of the group's invocations up to this one have a 1.
uint counted(uint one) {
    uint lane = gl_LocalInvocationID.x;
    sums[lane] = one;
    barrier();
    for (uint step = 1u; step < 256u; step <<= 1u) {
        uint before = lane >= step ? sums[lane - step] : 0u;
        barrier();
        sums[lane] += before;
        barrier();
    }
    return sums[lane];
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint count = tally.words[1];
    uint live = 0u;
    for (uint i = lane; i < count; i += 256u)
        live += unsorted.values[i] == 0u ? 1u : 0u;
    counted(live);
    if (lane == 255u) lives = sums[255];
    barrier();
    uint first = 0u; // places of live ones that are taken
    for (uint base = 0u; base < count; base += 256u) {
        uint i = base + lane;
        uint is_live = i < count && unsorted.values[i] == 0u ? 1u : 0u;
        uint before = counted(is_live);
        uint all = sums[255];
        barrier();
        if (i < count) {
            // Of the dead ones as many lie before as there are not live ones.
            uint place = is_live != 0u ? first + before - 1u : lives + i - (first + before);
            order.values[place] = i;
            keys.values[place] = 1u - is_live;
        }
        first += all;
    }
    if (lane == 0u) {
        ranges.values[0] = uvec2(0u, lives);
        ranges.values[1] = uvec2(lives, count);
    }
}

// Batches of a cell that has a constraint for each invocation or fewer. The result is that of batch_few.glsl. All find
// out who shares bodies with whom; one goes through the constraints in their order.
#ifndef BODIES_BATCH_LANES
#define BODIES_BATCH_LANES

const uint kLaneCell = 64u; // constraints of a cell: bits of two words

uvec2 lane_bit(uint k) {
    uint bit = 1u << (k & 31u);
    return k < 32u ? uvec2(bit, 0u) : uvec2(0u, bit);
}
uint lane_lowest(uvec2 bits) {
    return bits.x != 0u ? uint(findLSB(bits.x)) : 32u + uint(findLSB(bits.y));
}

// Four constraints a quad, so that the loops over all take a quarter of the turns. Beyond the last: kNone. Quads lie
// where batch_few.glsl has others: members, both bodies, and batches with ranks in the lowest byte.
const uint kLaneQuads = kLaneCell / 4u;
uvec4 lane_members(uint four) {
    return few_waits[four];
}
uvec4 lane_firsts(uint four) {
    return few_waits[kLaneQuads + four];
}
uvec4 lane_seconds(uint four) {
    return few_waits[2u * kLaneQuads + four];
}
uvec4 lane_batches(uint four) {
    return few_waits[3u * kLaneQuads + four];
}
void put_lane_batch(uint lane, uint batch) {
    few_waits[3u * kLaneQuads + (lane >> 2u)][lane & 3u] = batch;
}
uint lane_batch(uint lane) {
    return few_waits[3u * kLaneQuads + (lane >> 2u)][lane & 3u];
}

// What an invocation knows of its constraint.
struct LaneConstraint {
    uint member;
    uvec2 ends;
    uint rank;      // in the order of members
    uvec2 slots;    // of its bodies: one for all constraints that share a body which moves
};

void compare(uint count, inout LaneConstraint own) {
    bvec4 first_moves = bvec4((own.ends.x & kFixed) == 0u);
    bvec4 second_moves = bvec4((own.ends.y & kFixed) == 0u);
    const uvec4 bits = uvec4(1u, 2u, 4u, 8u);
    const uvec4 none = uvec4(0u);
    for (uint j = 0u; j < count; j += 4u) {
        uvec4 firsts = lane_firsts(j / 4u);
        uvec4 seconds = lane_seconds(j / 4u);
        uvec4 before = mix(none, bits, lessThan(lane_members(j / 4u), uvec4(own.member)));
        uvec4 xx = mix(none, bits, equal(firsts, own.ends.xxxx));
        uvec4 xy = mix(none, bits, equal(seconds, own.ends.xxxx));
        uvec4 yx = mix(none, bits, equal(firsts, own.ends.yyyy));
        uvec4 yy = mix(none, bits, equal(seconds, own.ends.yyyy));
        uint first_in = xx.x | xx.y | xx.z | xx.w;
        uint first_at = first_in | xy.x | xy.y | xy.z | xy.w;
        uint second_in = yx.x | yx.y | yx.z | yx.w;
        uint second_at = second_in | yy.x | yy.y | yy.z | yy.w;
        if (!first_moves.x) first_at = 0u;
        if (!second_moves.x) second_at = 0u;
        own.rank += bitCount(before.x | before.y | before.z | before.w);
        if (first_at != 0u && own.slots.x == kNone) {
            uint i = uint(findLSB(first_at));
            own.slots.x = 2u * (j + i) + ((first_in >> i & 1u) != 0u ? 0u : 1u);
        }
        if (second_at != 0u && own.slots.y == kNone) {
            uint i = uint(findLSB(second_at));
            own.slots.y = 2u * (j + i) + ((second_in >> i & 1u) != 0u ? 0u : 1u);
        }
    }
}

// First fit by one invocation, which takes fewer steps than rounds of all. lane_slots has the slots of constraints by
// rank, and few_ends bits of the batches that a slot's body has. Returns how many batches there are.
shared uvec2 lane_slots[kLaneCell];

uint fit_in_order(uint count) {
    uint used = 0u;
    for (uint k = 0u; k < count; ++k) {
        uvec2 at = lane_slots[k];
        uvec2 first = few_ends[at.x];
        uvec2 second = few_ends[at.y];
        uint batch = lane_lowest(~(first | second));
        uvec2 bit = lane_bit(batch);
        few_ends[at.x] = first | bit;
        few_ends[at.y] = second | bit;
        put_lane_batch(k, batch << 8u | k);
        used = max(used, batch + 1u);
    }
    return used;
}

void batch_lanes(uint index, uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    LaneConstraint own = LaneConstraint(kNone, uvec2(kNone), 0u, uvec2(kNone));
    if (lane < count) {
        own.member = order.values[begin + lane];
        own.ends = ends_at(begin + lane, own.member);
    }
    if (lane < kLaneCell) {
        few_waits[lane >> 2u][lane & 3u] = own.member;
        few_waits[kLaneQuads + (lane >> 2u)][lane & 3u] = own.ends.x;
        few_waits[2u * kLaneQuads + (lane >> 2u)][lane & 3u] = own.ends.y;
        put_lane_batch(lane, kNone);
    }
    barrier();
    if (lane < count) {
        compare(count, own);
        uvec2 itself = uvec2(2u * lane, 2u * lane + 1u);
        lane_slots[own.rank] = mix(own.slots, itself, equal(own.slots, uvec2(kNone)));
        few_ends[itself.x] = uvec2(0u);
        few_ends[itself.y] = uvec2(0u);
        order.values[begin + own.rank] = own.member;
    }
    barrier();
    if (lane == 0u) finish_few(index, count, fit_in_order(count));
    barrier();
    if (lane >= count) return;
    uint key = lane_batch(own.rank);
    uint at = begin;
    for (uint j = 0u; j < count; j += 4u) {
        bvec4 before = lessThan(lane_batches(j >> 2u), uvec4(key));
        at += (before.x ? 1u : 0u) + (before.y ? 1u : 0u) + (before.z ? 1u : 0u) + (before.w ? 1u : 0u);
    }
    uint batch = key >> 8u;
    batches.values[begin + own.rank] = batch;
    ordered.values[at] = own.member;
    ordered_batches.values[at] = batch;
}
#endif

// Batches of a cell that has a constraint for each invocation or fewer. It does what batch_few.glsl does, with
// conflicts of 64 bits and without an order of its own: constraints stay where they are, and know their ranks.
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
    uvec2 waits;    // constraints before it that share a body which moves
    uvec2 slots;    // see slots.glsl
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
        uint rank_bits = before.x | before.y | before.z | before.w;
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
        own.rank += bitCount(rank_bits);
        uint shares = (first_at | second_at) & rank_bits;
        if (j < 32u) {
            own.waits.x |= shares << j;
        } else {
            own.waits.y |= shares << (j - 32u);
        }
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

// Rounds: a constraint for which all before it have their batches takes the least that is free. A round reads the
// bits of one pair of words while those of the other are set, so that one barrier a round is enough.
void lane_rounds(uint lane, uint count, LaneConstraint own) {
    uvec2 everyone = count < 32u ? uvec2((1u << count) - 1u, 0u) : uvec2(kNone, kNone >> (kLaneCell - count));
    if (count == 32u) everyone.y = 0u;
    bool waiting = lane < count;
    bool again = false; // tell the other pair of words
    for (uint turn = 0u; turn <= kLaneCell; ++turn) {
        uint from = 2u * (turn & 1u);
        uint to = 2u - from;
        uvec2 done = uvec2(few_done[from], few_done[from + 1u]);
        if (done == everyone) break;
        if (again) atomicOr(few_done[to + (lane >> 5u)], 1u << (lane & 31u));
        again = false;
        if (waiting && (own.waits & ~done) == uvec2(0u)) {
            uvec2 taken = uvec2(0u);
            while (own.waits != uvec2(0u)) {
                uint j = lane_lowest(own.waits);
                own.waits &= ~lane_bit(j);
                taken |= lane_bit(lane_batch(j) >> 8u);
            }
            put_lane_batch(lane, lane_lowest(~taken) << 8u | own.rank);
            atomicOr(few_done[to + (lane >> 5u)], 1u << (lane & 31u));
            waiting = false;
            again = true;
        }
        barrier();
    }
}

void batch_lanes(uint index, uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    LaneConstraint own = LaneConstraint(kNone, uvec2(kNone), 0u, uvec2(0u), uvec2(kNone));
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
    if (lane < kFew / 32u) few_done[lane] = 0u;
    barrier();
    if (lane < count) {
        compare(count, own);
        order.values[begin + own.rank] = own.member;
    }
    lane_rounds(lane, count, own);
    if (lane >= count) return;
    uint key = lane_batch(lane);
    uint last = 0u;
    uint at = begin;
    for (uint j = 0u; j < count; j += 4u) {
        uvec4 others = lane_batches(j >> 2u);
        bvec4 before = lessThan(others, uvec4(key));
        at += (before.x ? 1u : 0u) + (before.y ? 1u : 0u) + (before.z ? 1u : 0u) + (before.w ? 1u : 0u);
        others = mix(others, uvec4(0u), equal(others, uvec4(kNone)));
        last = max(last, max(max(others.x, others.y), max(others.z, others.w)));
    }
    uint batch = key >> 8u;
    batches.values[begin + own.rank] = batch;
    ordered.values[at] = own.member;
    ordered_batches.values[at] = batch;
    uvec2 itself = uvec2(2u * lane, 2u * lane + 1u);
    slots.values[at] = slots_word(mix(own.slots, itself, equal(own.slots, uvec2(kNone))), lane);
    if (lane == 0u) finish_few(index, count, (last >> 8u) + 1u);
}
#endif

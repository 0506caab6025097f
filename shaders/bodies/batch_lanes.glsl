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

// What an invocation knows of its constraint.
struct LaneConstraint {
    uint member;
    uvec2 ends;
    uint rank;      // in the order of members
    uvec2 waits;    // constraints before it that share a body which moves
};

void compare(uint count, inout LaneConstraint own) {
    bvec2 moves = equal(own.ends & kFixed, uvec2(0u));
    for (uint j = 0u; j < count; ++j) {
        if (few_members[j] >= own.member) continue;
        ++own.rank;
        uvec2 other = few_ends[j];
        bool shares = moves.x && any(equal(other, own.ends.xx)) || moves.y && any(equal(other, own.ends.yy));
        if (shares) own.waits |= lane_bit(j);
    }
}

// Rounds: a constraint for which all before it have their batches takes the least that is free. A round reads the
// bits of one pair of words while those of the other are set, so that one barrier a round is enough.
void lane_rounds(uint lane, uint count, LaneConstraint own) {
    uvec2 everyone = count < 32u ? uvec2((1u << count) - 1u, 0u) : uvec2(kNone, kNone >> (kLaneCell - count));
    if (count == 32u) everyone.y = 0u;
    bool waiting = lane < count;
    bool again = false; // tell the other pair of words
    uvec2 taken = uvec2(0u);
    for (uint turn = 0u; turn <= kLaneCell; ++turn) {
        uint from = 2u * (turn & 1u);
        uint to = 2u - from;
        uvec2 done = uvec2(few_done[from], few_done[from + 1u]);
        if (done == everyone) break;
        if (again) atomicOr(few_done[to + (lane >> 5u)], 1u << (lane & 31u));
        again = false;
        if (waiting) {
            uvec2 ready = own.waits & done;
            own.waits &= ~done;
            while (ready != uvec2(0u)) {
                uint j = lane_lowest(ready);
                ready &= ~lane_bit(j);
                taken |= lane_bit(few_batches[j] >> 8u);
            }
            if (own.waits == uvec2(0u)) {
                few_batches[lane] = lane_lowest(~taken) << 8u | own.rank;
                atomicOr(few_done[to + (lane >> 5u)], 1u << (lane & 31u));
                waiting = false;
                again = true;
            }
        }
        barrier();
    }
}

void batch_lanes(uint index, uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    LaneConstraint own = LaneConstraint(kNone, uvec2(0u), 0u, uvec2(0u));
    if (lane < count) {
        own.member = order.values[begin + lane];
        own.ends = ends_at(begin + lane, own.member);
        few_members[lane] = own.member;
        few_ends[lane] = own.ends;
    }
    if (lane < kFew / 32u) few_done[lane] = 0u;
    barrier();
    if (lane < count) {
        compare(count, own);
        order.values[begin + own.rank] = own.member;
    }
    barrier();
    lane_rounds(lane, count, own);
    if (lane >= count) return;
    uint key = few_batches[lane];
    uint last = 0u;
    uint at = begin;
    for (uint j = 0u; j < count; ++j) {
        uint other = few_batches[j];
        at += other < key ? 1u : 0u;
        last = max(last, other);
    }
    uint batch = key >> 8u;
    batches.values[begin + own.rank] = batch;
    ordered.values[at] = own.member;
    ordered_batches.values[at] = batch;
    if (lane == 0u) finish_few(index, count, (last >> 8u) + 1u);
}
#endif

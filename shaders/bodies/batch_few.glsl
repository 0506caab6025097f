// Batches of a cell with few constraints, whose conflicts are bits that the invocations hold. The result is
// first fit, as of the methods of batch.comp.
//
// It also numbers the cell's bodies, so that the solver can keep their velocities in shared memory.
#ifndef BODIES_BATCH_FEW
#define BODIES_BATCH_FEW

const uint kFew = 128u;     // constraints of a cell: bits of four words
const uint kFewOfLane = 4u; // groups have at least 32 invocations

shared uint few_unsorted[kFew];
shared uint few_members[kFew];
shared uvec2 few_ends[kFew];
shared uint few_batches[kFew];
shared uint few_firsts[2u * kFew / 32u]; // bit 2k + e: end e of constraint k is the first with its body
shared uint few_done[kFew / 32u];
shared uint few_left;
shared uint few_used;

uvec4 few_bit(uint k) {
    return mix(uvec4(0u), uvec4(1u << (k & 31u)), equal(uvec4(k >> 5u), uvec4(0u, 1u, 2u, 3u)));
}
uint few_lowest(uvec4 bits) {
    if (bits.x != 0u) return uint(findLSB(bits.x));
    if (bits.y != 0u) return 32u + uint(findLSB(bits.y));
    return bits.z != 0u ? 64u + uint(findLSB(bits.z)) : 96u + uint(findLSB(bits.w));
}

// What an invocation knows of a constraint.
struct FewConstraint {
    uvec2 ends;
    uvec2 firsts;  // where its bodies come first: 2 * constraint + end
    uvec4 waits;   // constraints before it that share a body which moves
    uvec4 taken;   // batches of these
    uint member;
};

// Members in their order, and their ends.
void few_sort(uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    uvec2 ends_of[kFewOfLane];
    [[unroll]] for (uint i = 0u; i < kFewOfLane; ++i) {
        uint k = lane + i * gl_WorkGroupSize.x;
        if (k >= count) continue;
        uint member = order.values[begin + k];
        few_unsorted[k] = member;
        ends_of[i] = ends.values[member];
    }
    if (lane < 2u * kFew / 32u) few_firsts[lane] = 0u;
    if (lane < kFew / 32u) few_done[lane] = 0u;
    if (lane == 0u) few_used = 0u;
    if (lane == 0u) few_left = count;
    barrier();
    [[unroll]] for (uint i = 0u; i < kFewOfLane; ++i) {
        uint k = lane + i * gl_WorkGroupSize.x;
        if (k >= count) continue;
        uint member = few_unsorted[k];
        uint rank = 0u;
        for (uint j = 0u; j < count; ++j)
            rank += few_unsorted[j] < member ? 1u : 0u;
        few_members[rank] = member;
        few_ends[rank] = ends_of[i];
        order.values[begin + rank] = member;
    }
    barrier();
}

FewConstraint few_constraint(uint k) {
    FewConstraint c;
    c.member = few_members[k];
    c.ends = few_ends[k];
    c.firsts = uvec2(2u * k, 2u * k + 1u);
    c.waits = uvec4(0u);
    c.taken = uvec4(0u);
    bvec2 moves = equal(c.ends & kFixed, uvec2(0u));
    for (uint before = k; before > 0u; --before) {
        uint j = before - 1u;
        uvec2 other = few_ends[j];
        bvec2 first = equal(other, c.ends.xx);
        bvec2 second = equal(other, c.ends.yy);
        if (any(first)) c.firsts.x = 2u * j + (first.x ? 0u : 1u);
        if (any(second)) c.firsts.y = 2u * j + (second.x ? 0u : 1u);
        if (any(first) && moves.x || any(second) && moves.y) c.waits |= few_bit(j);
    }
    if (c.firsts.x == 2u * k) atomicOr(few_firsts[k / 16u], 1u << (2u * k & 31u));
    if (c.firsts.y == 2u * k + 1u) atomicOr(few_firsts[k / 16u], 2u << (2u * k & 31u));
    return c;
}

// Bodies of the cell that come first before end `at`.
uint few_body(uint at) {
    uint number = 0u;
    for (uint word = 0u; word < at / 32u; ++word)
        number += uint(bitCount(few_firsts[word]));
    return number + uint(bitCount(few_firsts[at / 32u] & ((1u << (at & 31u)) - 1u)));
}
uint few_body_count() {
    uint number = 0u;
    [[unroll]] for (uint word = 0u; word < 2u * kFew / 32u; ++word)
        number += uint(bitCount(few_firsts[word]));
    return number;
}

// Rounds: a constraint for which all before it have their batches takes the least that is free.
void few_rounds(uint count, inout FewConstraint held[kFewOfLane]) {
    uint lane = gl_LocalInvocationID.x;
    bvec4 waiting = lessThan(uvec4(lane) + gl_WorkGroupSize.x * uvec4(0u, 1u, 2u, 3u), uvec4(count));
    for (uint turn = 0u; turn <= kFew; ++turn) {
        uvec4 done = uvec4(few_done[0], few_done[1], few_done[2], few_done[3]);
        uint left = few_left;
        barrier();
        if (left == 0u) return;
        [[unroll]] for (uint i = 0u; i < kFewOfLane; ++i) {
            if (!waiting[i]) continue;
            uvec4 ready = held[i].waits & done;
            held[i].waits &= ~done;
            while (ready != uvec4(0u)) {
                uint j = few_lowest(ready);
                ready &= ~few_bit(j);
                held[i].taken |= few_bit(few_batches[j]);
            }
            if (held[i].waits != uvec4(0u)) continue;
            uint k = lane + i * gl_WorkGroupSize.x;
            uint batch = few_lowest(~held[i].taken);
            few_batches[k] = batch;
            atomicOr(few_done[k >> 5u], 1u << (k & 31u));
            atomicAdd(few_left, kNone); // one less
            atomicMax(few_used, batch + 1u);
            waiting[i] = false;
        }
        barrier();
    }
}

void batch_few(uint index, uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    few_sort(begin, count);
    FewConstraint held[kFewOfLane];
    [[unroll]] for (uint i = 0u; i < kFewOfLane; ++i)
        if (lane + i * gl_WorkGroupSize.x < count) held[i] = few_constraint(lane + i * gl_WorkGroupSize.x);
    barrier();
    few_rounds(count, held);
    [[unroll]] for (uint i = 0u; i < kFewOfLane; ++i) {
        uint k = lane + i * gl_WorkGroupSize.x;
        if (k >= count) continue;
        uint batch = few_batches[k];
        uint at = begin;
        for (uint j = 0u; j < count; ++j) {
            uint other = few_batches[j];
            at += other < batch || other == batch && j < k ? 1u : 0u;
        }
        uvec2 numbers = uvec2(few_body(held[i].firsts.x), few_body(held[i].firsts.y));
        if (held[i].firsts.x == 2u * k) cell_bodies.values[2u * begin + numbers.x] = held[i].ends.x;
        if (held[i].firsts.y == 2u * k + 1u) cell_bodies.values[2u * begin + numbers.y] = held[i].ends.y;
        batches.values[begin + k] = batch;
        ordered.values[at] = held[i].member;
        ordered_batches.values[at] = batch;
        body_numbers.values[at] = numbers.x | numbers.y << 16u;
    }
    if (lane != 0u) return;
    cell_batches.values[index] = few_used;
    body_counts.values[index] = few_body_count();
    atomicMax(status.elements[0].batches, few_used);
    atomicMax(status.elements[0].full_batch, count);
}
#endif

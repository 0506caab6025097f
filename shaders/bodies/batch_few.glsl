// Batches of a cell with few constraints, whose conflicts are bits. The result is first fit, as of the methods
// of batch.comp.
#ifndef BODIES_BATCH_FEW
#define BODIES_BATCH_FEW

const uint kFew = kFewInCell; // bits of four words

shared uint few_members[kFew];
shared uvec2 few_ends[kFew];
shared uint few_batches[kFew];
shared uvec4 few_waits[kFew]; // bits of the constraints before one that share a body with it
shared uint few_done[kFew / 32u];
shared uint few_left;
shared uint few_used;

uvec2 ends_at(uint place, uint member) {
    return has_placed_ends != 0u ? placed_ends.values[place] : ends.values[member];
}

uvec4 few_bit(uint k) {
    return mix(uvec4(0u), uvec4(1u << (k & 31u)), equal(uvec4(k >> 5u), uvec4(0u, 1u, 2u, 3u)));
}
uint few_lowest(uvec4 bits) {
    if (bits.x != 0u) return uint(findLSB(bits.x));
    if (bits.y != 0u) return 32u + uint(findLSB(bits.y));
    return bits.z != 0u ? 64u + uint(findLSB(bits.z)) : 96u + uint(findLSB(bits.w));
}

// Members in their order, and their ends.
void few_sort(uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    for (uint k = lane; k < count; k += gl_WorkGroupSize.x) {
        few_batches[k] = order.values[begin + k];
        uvec2 own = ends_at(begin + k, few_batches[k]);
        few_waits[k].xy = own;
    }
    if (lane < kFew / 32u) few_done[lane] = 0u;
    if (lane == 0u) few_used = 0u;
    if (lane == 0u) few_left = count;
    barrier();
    for (uint k = lane; k < count; k += gl_WorkGroupSize.x) {
        uint member = few_batches[k];
        uint rank = 0u;
        for (uint j = 0u; j < count; ++j)
            rank += few_batches[j] < member ? 1u : 0u;
        few_members[rank] = member;
        few_ends[rank] = few_waits[k].xy;
        order.values[begin + rank] = member;
    }
    barrier();
}

// What constraint `k` waits for.
void few_compare(uint k) {
    uvec2 own = few_ends[k];
    uvec4 waits = uvec4(0u);
    bvec2 moves = equal(own & kFixed, uvec2(0u));
    for (uint j = 0u; j < k; ++j) {
        uvec2 other = few_ends[j];
        if (moves.x && any(equal(other, own.xx)) || moves.y && any(equal(other, own.yy))) waits |= few_bit(j);
    }
    few_batches[k] = kNone;
    few_waits[k] = waits;
}

// Rounds: a constraint for which all before it have their batches takes the least that is free.
void few_rounds(uint count) {
    for (uint turn = 0u; turn <= kFew; ++turn) {
        uvec4 done = uvec4(few_done[0], few_done[1], few_done[2], few_done[3]);
        uint remaining = few_left;
        barrier();
        if (remaining == 0u) return;
        for (uint k = gl_LocalInvocationID.x; k < count; k += gl_WorkGroupSize.x) {
            if (few_batches[k] != kNone) continue;
            uvec4 waits = few_waits[k];
            if ((waits & ~done) != uvec4(0u)) continue;
            uvec4 taken = uvec4(0u);
            while (waits != uvec4(0u)) {
                uint j = few_lowest(waits);
                waits &= ~few_bit(j);
                taken |= few_bit(few_batches[j]);
            }
            uint batch = few_lowest(~taken);
            few_batches[k] = batch;
            atomicOr(few_done[k >> 5u], 1u << (k & 31u));
            atomicAdd(few_left, kNone); // one less
            atomicMax(few_used, batch + 1u);
        }
        barrier();
    }
}

// What is known of the whole cell.
void finish_few(uint index, uint count, uint used) {
    cell_batches.values[index] = used;
    // Most cells have not more than others had, and those who add to one word wait for each other.
    if (status.elements[0].batches < used) atomicMax(status.elements[0].batches, used);
    if (status.elements[0].full_batch < count) atomicMax(status.elements[0].full_batch, count);
}

void batch_few(uint index, uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    few_sort(begin, count);
    for (uint k = lane; k < count; k += gl_WorkGroupSize.x)
        few_compare(k);
    barrier();
    few_rounds(count);
    for (uint k = lane; k < count; k += gl_WorkGroupSize.x) {
        uint batch = few_batches[k];
        uint at = begin;
        for (uint j = 0u; j < count; ++j) {
            uint other = few_batches[j];
            at += other < batch || other == batch && j < k ? 1u : 0u;
        }
        batches.values[begin + k] = batch;
        ordered.values[at] = few_members[k];
        ordered_batches.values[at] = batch;
    }
    if (lane == 0u) finish_few(index, count, few_used);
}
#endif

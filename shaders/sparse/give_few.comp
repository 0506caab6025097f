#version 460
#extension GL_EXT_control_flow_attributes : require
// Gives slots to the bricks of an earlier execution and to those that boxes of cells overlap, all in one
// group: for pools that are so small that kernels one after the other would mostly wait. One group runs
// each instruction for the first time, so code is short: loops are not unrolled, and nothing is there twice.

layout(local_size_x = 256) in;
layout(constant_id = 2) const uint has_previous = 0u;

#include "sparse/bricks.glsl"
#include "groups.glsl"

uniform Params {
    uvec4 work_a_brick[6]; // as in finish.comp
    ivec4 low[16];         // cells
    ivec4 high[16];        // excluded
    uint now;              // boxes whose bricks get slots before those of the others
    uint boxes;
    uint capacity;
} params;

readonly buffer Previous {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} previous;
coherent buffer BrickMap { uint words[]; } brick_map;
writeonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} brick_list;
writeonly buffer Status { // SparseStatus in passes/sparse/store.hpp
    uint active_bricks;
    uint fresh;
    uint wanted;
    uint refused;
    uint evicted;
    uint capacity;
    uint evicts;
} status;

const uint kMost = 2048u; // kFewBricks in passes/sparse/store.cpp
const uint kWords = kMost / 32u;

shared uint taken[kWords];       // a bit a slot
shared uint free_words[kWords];  // that no brick of the execution before has
shared uint before_word[kWords]; // how many slots of one of these kinds there are before a word
shared uint numbers[kMost];      // of bricks by slot, kFreshBrick added for new ones
shared uint free_count;
shared uint given; // of these, also those that there were not
shared uint ends[16]; // of boxes: bricks of these and those before

void take(uint number, uint word) {
    uint slot = slot_of(word);
    atomicOr(taken[slot / 32u], 1u << slot % 32u);
    numbers[slot] = number | (word & kFreshBrick);
}

// The slot of free ones that has `i` before it.
uint free_slot(uint i) {
    uint word = 0u;
    while (word + 1u < kWords && before_word[word + 1u] <= i)
        ++word;
    uint bits = free_words[word];
    for (uint before = before_word[word]; before < i; ++before)
        bits &= bits - 1u;
    return 32u * word + uint(findLSB(bits));
}

// A brick that was refused stays pending, so that it is counted once.
void claim(uint number) {
    if (brick_map.words[number] != kNoBrick) return;
    if (atomicCompSwap(brick_map.words[number], kNoBrick, kPendingBrick) != kNoBrick) return;
    uint i = atomicAdd(given, 1u);
    if (i >= free_count) return;
    uint word = free_slot(i) | kFreshBrick;
    brick_map.words[number] = word;
    take(number, word);
}

ivec3 first_brick(uint box) {
    return max(params.low[box].xyz, ivec3(0)) / kBrick;
}
ivec3 bricks_of(uint box) {
    ivec3 low = max(params.low[box].xyz, ivec3(0));
    ivec3 high = min(params.high[box].xyz, kDomain);
    return any(greaterThanEqual(low, high)) ? ivec3(0) : (high - 1) / kBrick - low / kBrick + 1;
}
// The number of brick `i` of all boxes.
uint brick_in_boxes(uint i) {
    uint box = 0u;
    while (i >= ends[box])
        ++box;
    i -= box > 0u ? ends[box - 1u] : 0u;
    uvec3 size = uvec3(bricks_of(box));
    uint row = i / size.x;
    return brick_number(first_brick(box) + ivec3(i % size.x, row % size.y, row / size.y));
}
uint end_of(uint boxes) {
    return boxes > 0u ? ends[boxes - 1u] : 0u;
}
uint slots_of_word(uint word) {
    uint slots = params.capacity - min(params.capacity, 32u * word);
    return slots < 32u ? (1u << slots) - 1u : 0xffffffffu;
}

// The sums of the words before each in `before_word`; `own`: of the invocation's word.
void sum_before(uint lane, uint own) {
    if (lane < kWords) before_word[lane] = own;
    barrier();
    [[dont_unroll]] for (uint far = 1u; far < kWords; far *= 2u) {
        uint more = lane < kWords && lane >= far ? before_word[lane - far] : 0u;
        barrier();
        if (lane < kWords) before_word[lane] += more;
        barrier();
    }
    if (lane < kWords) before_word[lane] -= own;
    barrier();
}

// By slot, so that bricks that are walked over one after the other lie side by side, in each execution in
// the same order.
void list_bricks(uint lane) {
    sum_before(lane, lane < kWords ? uint(bitCount(taken[lane])) : 0u);
    [[dont_unroll]] for (uint slot = lane; slot < params.capacity; slot += 256u) {
        uint bits = taken[slot / 32u], bit = 1u << slot % 32u;
        if ((bits & bit) == 0u) continue;
        uint at = before_word[slot / 32u] + uint(bitCount(bits & (bit - 1u)));
        uint number = numbers[slot];
        brick_list.entries[at] = uvec2(number & ~kFreshBrick, slot | (number & kFreshBrick));
    }
}

void settle() {
    memoryBarrierBuffer();
    barrier();
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint before = 0u;
    if (has_previous != 0u) before = min(previous.count, previous.entries.length());
    if (lane < kWords) taken[lane] = 0u;
    if (lane < params.boxes) {
        ivec3 size = bricks_of(lane);
        ends[lane] = uint(size.x * size.y * size.z);
    }
    barrier();
    if (lane == 0u) {
        given = 0u;
        [[dont_unroll]] for (uint box = 1u; box < params.boxes; ++box)
            ends[box] += ends[box - 1u];
    }
    [[dont_unroll]] for (uint i = lane; i < before; i += 256u) {
        uvec2 entry = previous.entries[i];
        if (!is_active(entry.y)) continue;
        uint slot = slot_of(entry.y);
        brick_map.words[entry.x] = slot;
        take(entry.x, slot);
    }
    settle();
    uint free = lane < kWords ? ~taken[lane] & slots_of_word(lane) : 0u;
    if (lane < kWords) free_words[lane] = free;
    sum_before(lane, uint(bitCount(free)));
    if (lane + 1u == kWords) free_count = before_word[lane] + uint(bitCount(free));
    barrier();
    // Bricks of the execution before that have no slot yet and those of the first boxes; then the others.
    uint first = 0u;
    [[dont_unroll]] for (uint phase = 0u; phase < 2u; ++phase) {
        uint listed = phase == 0u ? before : 0u;
        uint end = end_of(phase == 0u ? params.now : params.boxes);
        [[dont_unroll]] for (uint i = lane; i < listed + end - first; i += 256u) {
            uvec2 entry = uvec2(0u, kPendingBrick);
            if (i < listed)
                entry = previous.entries[i];
            else
                entry.x = brick_in_boxes(first + i - listed);
            if (!is_active(entry.y)) claim(entry.x);
        }
        settle();
        first = end;
    }
    bool full = given > free_count;
    if (full) { // what was refused is in no brick
        [[dont_unroll]] for (uint i = lane; i < before + end_of(params.boxes); i += 256u) {
            uint number = i < before ? previous.entries[i].x : brick_in_boxes(i - before);
            if (brick_map.words[number] == kPendingBrick) brick_map.words[number] = kNoBrick;
        }
    }
    list_bricks(lane);
    uint listed = params.capacity - free_count + min(given, free_count);
    set_all_groups(lane, listed, params.work_a_brick);
    if (lane > 0u) return;
    brick_list.count = listed;
    uint refused = full ? given - free_count : 0u;
    status.active_bricks = listed;
    status.fresh = given - refused;
    status.wanted = listed + refused;
    status.refused = refused;
    status.evicted = 0u;
    status.capacity = params.capacity;
    status.evicts = 0u;
}

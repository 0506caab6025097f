#version 460
//! variants METHOD=0,1,2,3,4,5 LOCAL=64,256 except 5,256
// Batches of a cell: no two constraints of one share a body that they move. A group takes a cell; then it
// puts the cell's constraints in the order of their batches. All methods but the last give the batches of
// first fit: the least that neither body has among the constraints before.

#extension GL_EXT_control_flow_attributes : enable

layout(local_size_x = 64, local_size_x_id = 0) in;

#define SERIAL 0    // one invocation: a sweep over what is left for each batch
#define PIPELINED 1 // an invocation a batch, constraints go from one to the next
#define MASKS 2     // one invocation: bits of the batches that a body has
#define PRIORITY 3  // rounds: whoever is first at both bodies takes its batch
#define ROUNDS 4    // rounds: whoever is first at both bodies is in this round's batch
#define CONFLICTS 5 // bits of the constraints that share a body, for cells with few; others as PRIORITY

#include "invocation.glsl"
#include "locks.glsl"
#include "sets.glsl"
#include "status.glsl"

readonly buffer Ends { uvec2 values[]; } ends;
readonly buffer Ranges { uvec2 values[]; } ranges;
#if METHOD == CONFLICTS
layout(constant_id = 1) const uint has_placed_ends = 0u;
readonly buffer PlacedEnds { uvec2 values[]; } placed_ends; // by place in `order`, before it is sorted
coherent buffer Order { uint values[]; } order; // by cell, in any order within it, which becomes theirs
coherent buffer Batches { uint values[]; } batches;
#else
readonly buffer Order { uint values[]; } order; // by cell
buffer Batches { uint values[]; } batches;      // by place in `order`
#endif
coherent buffer Locks { uint words[]; } locks;  // four a body and set, then one: the first of a round
writeonly buffer Ordered { uint values[]; } ordered;
writeonly buffer OrderedBatches { uint values[]; } ordered_batches;
writeonly buffer CellBatches { uint values[]; } cell_batches;
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uvec3 cells;
    uint sets;
} params;

const uint kMaxBatches = 128u;
const uint kLocal = METHOD == CONFLICTS ? 1u : uint(LOCAL); // constraints of a cell whose bodies are kept in shared memory
const uint kSlots = 4u * kLocal;

shared uint slot_bodies[kSlots];
shared uint slot_words[kLockWords * kSlots];
shared uint slots_of[kLocal];
shared uint local_batches[kLocal];
shared uint bins[kMaxBatches + 1u];
shared uint left;
#if METHOD == PIPELINED
shared uint mailbox[256];
#endif

bool is_local;
uint slots; // that are used, a power of two
uint begin;
uint count;
uint set;

// --- what is known of a body in this set ---------------------------------------------------------

uint place_of(uint body) {
    uint at = (body * 2654435761u >> 16u) & (slots - 1u);
    while (true) {
        uint was = atomicCompSwap(slot_bodies[at], kNone, body);
        if (was == kNone || was == body) return at;
        at = (at + 1u) & (slots - 1u);
    }
    return 0u;
}

// Places of both bodies of a constraint; kNone where it does not move one.
uvec2 places_of(uint k) {
    if (is_local) {
        uint both = slots_of[k];
        uvec2 at = uvec2(both & 0xffffu, both >> 16u);
        return uvec2(at.x == 0xffffu ? kNone : at.x, at.y == 0xffffu ? kNone : at.y);
    }
    uvec2 both = ends.values[order.values[begin + k]];
    return uvec2((both.x & kFixed) != 0u ? kNone : both.x * params.sets + set,
                 (both.y & kFixed) != 0u ? kNone : both.y * params.sets + set);
}
uint word_at(uint at, uint word) {
    if (at == kNone) return 0u;
    return is_local ? slot_words[kLockWords * at + word] : locks.words[kLockWords * at + word];
}
void put_word(uint at, uint word, uint value) {
    if (at == kNone) return;
    if (is_local) {
        slot_words[kLockWords * at + word] = value;
    } else {
        locks.words[kLockWords * at + word] = value;
    }
}
void add_bits(uint at, uint word, uint bits) {
    if (at == kNone) return;
    if (is_local) {
        atomicOr(slot_words[kLockWords * at + word], bits);
    } else {
        atomicOr(locks.words[kLockWords * at + word], bits);
    }
}
void lower(uint at, uint value) {
    if (at == kNone) return;
    if (is_local) {
        atomicMin(slot_words[kLockWords * at + 4u], value);
    } else {
        atomicMin(locks.words[kLockWords * at + 4u], value);
    }
}
uint batch_at(uint k) {
    return is_local ? local_batches[k] : batches.values[begin + k];
}
void put_batch(uint k, uint batch) {
    if (is_local) {
        local_batches[k] = batch;
    } else {
        batches.values[begin + k] = batch;
    }
}

void wait() {
    groupMemoryBarrier();
    barrier();
}

void set_up() {
    uint lane = gl_LocalInvocationID.x;
    if (is_local) {
        for (uint i = lane; i < slots; i += gl_WorkGroupSize.x)
            slot_bodies[i] = kNone;
        for (uint i = lane; i < kLockWords * slots; i += gl_WorkGroupSize.x)
            slot_words[i] = empty_lock(i % kLockWords);
        wait();
        for (uint k = lane; k < count; k += gl_WorkGroupSize.x) {
            uvec2 both = ends.values[order.values[begin + k]];
            uint first = (both.x & kFixed) != 0u ? 0xffffu : place_of(both.x);
            uint second = (both.y & kFixed) != 0u ? 0xffffu : place_of(both.y);
            slots_of[k] = first | second << 16u;
        }
    } else {
#if METHOD == CONFLICTS
        const bool are_empty = has_placed_ends != 0u; // by place_constraints.comp
#else
        const bool are_empty = false;
#endif
        for (uint k = lane; k < count && !are_empty; k += gl_WorkGroupSize.x) {
            uvec2 at = places_of(k);
            for (uint word = 0u; word < kLockWords; ++word) {
                put_word(at.x, word, empty_lock(word));
                put_word(at.y, word, empty_lock(word));
            }
        }
    }
    for (uint k = lane; k < count; k += gl_WorkGroupSize.x)
        put_batch(k, kNone);
    if (lane == 0u) left = count;
    wait();
}

// The least batch that neither has, or kNone.
uint first_fit(uvec2 at) {
    for (uint word = 0u; word < kMaxBatches / 32u; ++word) {
        uint has = word_at(at.x, word) | word_at(at.y, word);
        if (has != kNone) return 32u * word + uint(findLSB(~has));
    }
    return kNone;
}

// --- methods ---------------------------------------------------------------------------------------

#if METHOD == SERIAL
void make_batches() {
    if (gl_LocalInvocationID.x != 0u) return;
    uint rest = count;
    for (uint batch = 0u; batch < kMaxBatches && rest > 0u; ++batch)
        for (uint k = 0u; k < count; ++k) {
            if (batch_at(k) != kNone) continue;
            uvec2 at = places_of(k);
            bool taken = at.x != kNone && word_at(at.x, 4u) == batch ||
                         at.y != kNone && word_at(at.y, 4u) == batch;
            if (taken) continue;
            put_word(at.x, 4u, batch);
            put_word(at.y, 4u, batch);
            put_batch(k, batch);
            --rest;
        }
}
#elif METHOD == MASKS
void make_batches() {
    if (gl_LocalInvocationID.x != 0u) return;
    for (uint k = 0u; k < count; ++k) {
        uvec2 at = places_of(k);
        uint batch = first_fit(at);
        put_batch(k, batch);
        if (batch == kNone) continue;
        add_bits(at.x, batch >> 5u, 1u << (batch & 31u));
        add_bits(at.y, batch >> 5u, 1u << (batch & 31u));
    }
}
#elif METHOD == PIPELINED
// T. Harada's pipeline; where its end is reached, what is left goes through another one.
void make_batches() {
    uint lane = gl_LocalInvocationID.x;
    uint lanes = min(gl_WorkGroupSize.x, kMaxBatches);
    for (uint base = 0u; base < kMaxBatches; base += lanes) {
        if (lane < lanes) mailbox[lane] = kNone;
        uint next = 0u; // of the first lane
        uint waiting = left;
        wait();
        if (waiting == 0u) return;
        uint batch = base + lane;
        for (uint cycle = 0u; cycle < waiting + lanes - 1u; ++cycle) {
            uint item = kNone;
            if (lane == 0u) {
                while (next < count && batch_at(next) != kNone) ++next;
                if (next < count) item = next++;
            } else if (lane < lanes) {
                item = mailbox[lane - 1u];
            }
            wait();
            if (lane < lanes && batch < kMaxBatches) {
                mailbox[lane] = kNone;
                if (item != kNone) {
                    uvec2 at = places_of(item);
                    uint bit = 1u << (batch & 31u);
                    uint has = word_at(at.x, batch >> 5u) | word_at(at.y, batch >> 5u);
                    if ((has & bit) == 0u) {
                        add_bits(at.x, batch >> 5u, bit);
                        add_bits(at.y, batch >> 5u, bit);
                        put_batch(item, batch);
                        atomicAdd(left, kNone); // one less
                    } else {
                        mailbox[lane] = item;
                    }
                }
            }
            wait();
        }
    }
}
#else
void make_batches() {
    uint lane = gl_LocalInvocationID.x;
    for (uint turn = 0u; turn < 65535u; ++turn) {
        uint before = left;
        for (uint k = lane; k < count; k += gl_WorkGroupSize.x) {
            if (batch_at(k) != kNone) continue;
            uvec2 at = places_of(k);
            lower(at.x, k);
            lower(at.y, k);
        }
        wait();
        if (before == 0u) return;
        for (uint k = lane; k < count; k += gl_WorkGroupSize.x) {
            if (batch_at(k) != kNone) continue;
            uvec2 at = places_of(k);
            bool first = (at.x == kNone || word_at(at.x, 4u) == k) &&
                         (at.y == kNone || word_at(at.y, 4u) == k);
            if (!first) continue;
#if METHOD == ROUNDS
            uint batch = turn < kMaxBatches ? turn : kNone - 1u;
#else
            uint batch = first_fit(at);
            if (batch == kNone) {
                batch = kNone - 1u; // in the tail
            } else {
                add_bits(at.x, batch >> 5u, 1u << (batch & 31u));
                add_bits(at.y, batch >> 5u, 1u << (batch & 31u));
            }
#endif
            put_batch(k, batch);
            put_word(at.x, 4u, kNone);
            put_word(at.y, 4u, kNone);
            atomicAdd(left, kNone);
        }
        wait();
    }
}
#endif

// --- the cell's constraints by batch ----------------------------------------------------------------

uint bin_of(uint k) {
    return min(batch_at(k), kMaxBatches);
}

void put_in_order() {
    uint lane = gl_LocalInvocationID.x;
    for (uint b = lane; b <= kMaxBatches; b += gl_WorkGroupSize.x)
        bins[b] = 0u;
    wait();
    for (uint k = lane; k < count; k += gl_WorkGroupSize.x)
        atomicAdd(bins[bin_of(k)], 1u);
    wait();
    if (lane == 0u) {
        uint at = 0u;
        uint used = 0u;
        for (uint b = 0u; b <= kMaxBatches; ++b) {
            uint here = bins[b];
            bins[b] = at;
            at += here;
            if (here > 0u && b < kMaxBatches) used = b + 1u;
        }
        uint tail = count - bins[kMaxBatches];
        if (tail > 0u) used = kMaxBatches + tail;
        uvec3 cell = cell_at(group_index(), params.cells);
        cell_batches.values[cell_index(cell, params.cells)] = used;
        atomicMax(status.elements[0].batches, used);
        atomicMax(status.elements[0].full_batch, count);
        if (tail > 0u) atomicAdd(status.elements[0].tail, tail);
        left = used;
    }
    wait();
    uint used = min(left, kMaxBatches + 1u);
    // An invocation for each batch, so that the order within it is that of before.
    for (uint b = lane; b < used; b += gl_WorkGroupSize.x) {
        uint at = bins[b];
        uint tail = 0u;
        for (uint k = 0u; k < count; ++k) {
            if (bin_of(k) != b) continue;
            ordered.values[begin + at] = order.values[begin + k];
            uint batch = b < kMaxBatches ? b : kMaxBatches + tail++;
            ordered_batches.values[begin + at] = batch;
            ++at;
        }
    }
}

#if METHOD == CONFLICTS
#include "batch_few.glsl"
#include "batch_lanes.glsl"
#include "sort_members.glsl"
#endif

void main() {
    uint index = group_index();
    if (index >= params.cells.x * params.cells.y * params.cells.z) return;
    uvec2 range = ranges.values[index];
    begin = range.x;
    count = range.y - range.x;
    if (count == 0u) {
        if (gl_LocalInvocationID.x == 0u) cell_batches.values[index] = 0u;
        return;
    }
#if METHOD == CONFLICTS
    if (count <= min(gl_WorkGroupSize.x, kLaneCell)) {
        batch_lanes(index, begin, count);
        return;
    }
    if (count <= kFew) {
        batch_few(index, begin, count);
        return;
    }
    sort_members(begin, count);
#endif
    set = set_of(cell_at(index, params.cells), params.cells);
    is_local = METHOD != CONFLICTS && count <= kLocal;
    slots = 4u << uint(findMSB(2u * min(count, kLocal) - 1u));
    slots = min(slots, kSlots);
    set_up();
    make_batches();
    wait();
    put_in_order();
    // For those who ask by place.
    if (is_local)
        for (uint k = gl_LocalInvocationID.x; k < count; k += gl_WorkGroupSize.x)
            batches.values[begin + k] = local_batches[k];
}

#version 460
// Gives a free slot to each claimed brick that has none, and lists the bricks that have one.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/claim.glsl"

layout(constant_id = 1) const uint kByNumber = 0u; // 1: a brick's slot is its number
layout(constant_id = 4) const uint has_cut = 0u;

readonly buffer Cut { uvec2 weight_and_number; } cut; // of the last claim that gets a slot
readonly buffer ClaimWeights { uint words[]; } claim_weights; // by place in the map

readonly buffer FreeSlots {
    uint count;
    uint slots[];
} free_slots;
buffer Tally { // SparseTally in passes/sparse/store.cpp
    uint fresh;
    uint refused;
    uint taken;
    uint evicted;
    uint later;
} tally;
buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} brick_list;

// Where the map has a claimed brick.
uint place_of(uint number) {
    if (kTableBits == 0u) return number;
    uint entry = table_start(number);
    for (uint tried = 0u; tried >> kTableBits == 0u; ++tried) {
        if (claim_map.words[2u * entry] == number) break;
        entry = table_next(entry);
    }
    return entry;
}

void set_word(uint place, uint word) {
    claim_map.words[kTableBits == 0u ? place : 2u * place + 1u] = word;
}

uint word_at(uint place) {
    return claim_map.words[kTableBits == 0u ? place : 2u * place + 1u];
}

// kNoBrick where none is free. Later bricks take what is behind the slots of pending ones.
uint new_slot(uint number, bool later) {
    if (kByNumber != 0u) return number;
    uint i = later ? claim_list.pending + atomicAdd(tally.later, 1u) : atomicAdd(tally.taken, 1u);
    return i < free_slots.count ? free_slots.slots[i] : kNoBrick;
}

void main() {
    uint i = invocation_index();
    if (i >= min(claim_list.count, claim_list.entries.length())) return;
    uvec2 entry = claim_list.entries[i];
    uint place = place_of(entry.x);
    bool chosen = true;
    if (has_cut != 0u)
        chosen = is_chosen(entry.x, claim_weights.words[place], cut.weight_and_number);
    if (!chosen && is_active(entry.y)) {
        atomicAdd(tally.evicted, 1u);
        set_word(place, kNoBrick);
        return;
    }
    if (!is_active(entry.y)) {
        uint slot = chosen ? new_slot(entry.x, word_at(place) == kLaterBrick) : kNoBrick;
        if (slot == kNoBrick) {
            atomicAdd(tally.refused, 1u);
            set_word(place, kNoBrick);
            return;
        }
        atomicAdd(tally.fresh, 1u);
        entry.y = slot | kFreshBrick;
        set_word(place, entry.y);
    }
    brick_list.entries[atomicAdd(brick_list.count, 1u)] = entry;
}

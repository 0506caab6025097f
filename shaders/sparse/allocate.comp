#version 460
// Gives a free slot to each claimed brick that has none, and lists the bricks that have one.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/claim.glsl"

layout(constant_id = 1) const uint kByNumber = 0u; // 1: a brick's slot is its number
layout(constant_id = 2) const uint has_first = 0u;
layout(constant_id = 3) const uint kOthers = 0u; // 1: the turn of the claims behind the first ones

readonly buffer First { uint count; } first; // claims that get their slots before the others

readonly buffer FreeSlots {
    uint count;
    uint slots[];
} free_slots;
buffer Tally { // SparseTally in passes/sparse/store.cpp
    uint fresh;
    uint refused;
    uint taken;
} tally;
buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} brick_list;

void set_word(uint number, uint word) {
    if (kTableBits == 0u) {
        claim_map.words[number] = word;
        return;
    }
    uint entry = table_start(number);
    for (uint tried = 0u; tried >> kTableBits == 0u; ++tried) {
        if (claim_map.words[2u * entry] == number) {
            claim_map.words[2u * entry + 1u] = word;
            return;
        }
        entry = table_next(entry);
    }
}

// kNoBrick where none is free.
uint new_slot(uint number) {
    if (kByNumber != 0u) return number;
    uint i = atomicAdd(tally.taken, 1u);
    return i < free_slots.count ? free_slots.slots[i] : kNoBrick;
}

void main() {
    uint i = invocation_index();
    if (i >= min(claim_list.count, claim_list.entries.length())) return;
    if (has_first != 0u && (i < first.count) == (kOthers != 0u)) return;
    uvec2 entry = claim_list.entries[i];
    if (!is_active(entry.y)) {
        uint slot = new_slot(entry.x);
        if (slot == kNoBrick) {
            atomicAdd(tally.refused, 1u);
            set_word(entry.x, kNoBrick);
            return;
        }
        atomicAdd(tally.fresh, 1u);
        entry.y = slot | kFreshBrick;
        set_word(entry.x, entry.y);
    }
    brick_list.entries[atomicAdd(brick_list.count, 1u)] = entry;
}

#ifndef SPARSE_CLAIM
#define SPARSE_CLAIM
// Claims bricks: whoever claims one first lists it.
#include "sparse/bricks.glsl"

buffer ClaimMap { uint words[]; } claim_map;
buffer ClaimList {
    uint count; // also those without room
    uint unused[3];
    uvec2 entries[]; // number and slot word
} claim_list;

// Where the map has a brick that has been claimed: its number, or an entry of the table.
struct ClaimEntry {
    uint place; // kNoBrick: the table is full
    bool first; // nobody had claimed it
};

ClaimEntry enter_claim(uint number, uint word) {
    if (kTableBits == 0u) {
        if (claim_map.words[number] != kNoBrick) return ClaimEntry(number, false);
        bool first = atomicCompSwap(claim_map.words[number], kNoBrick, word) == kNoBrick;
        return ClaimEntry(number, first);
    }
    uint entry = table_start(number);
    for (uint tried = 0u; tried >> kTableBits == 0u; ++tried) {
        uint key = claim_map.words[2u * entry];
        if (key == number) return ClaimEntry(entry, false);
        if (key == kNoBrick) {
            key = atomicCompSwap(claim_map.words[2u * entry], kNoBrick, number);
            if (key == number) return ClaimEntry(entry, false);
            if (key == kNoBrick) {
                claim_map.words[2u * entry + 1u] = word;
                return ClaimEntry(entry, true);
            }
        }
        entry = table_next(entry);
    }
    return ClaimEntry(kNoBrick, false);
}

// `slot`: that which the brick has, or kPendingBrick. Where the map has it.
uint claim_brick(uint number, uint slot) {
    ClaimEntry entered = enter_claim(number, slot);
    if (entered.first) {
        uint place = atomicAdd(claim_list.count, 1u);
        if (place < claim_list.entries.length()) claim_list.entries[place] = uvec2(number, slot);
    }
    return entered.place;
}

#endif

#ifndef SPARSE_CLAIM
#define SPARSE_CLAIM
// Claims bricks: whoever claims one first lists it.
#include "sparse/bricks.glsl"

buffer ClaimMap { uint words[]; } claim_map;
buffer ClaimList {
    uint count;   // also those without room
    uint pending; // of those with room, bricks that were claimed as such
    uint unused[2];
    uvec2 entries[]; // number and slot word; of a later brick it may be pending by now
} claim_list;

// Where the map has a brick that has been claimed: its number, or an entry of the table.
struct ClaimEntry {
    uint place;  // kNoBrick: the table is full
    uint before; // the slot word that it had
};

ClaimEntry enter_claim(uint number, uint word) {
    if (kTableBits == 0u) {
        uint before = claim_map.words[number];
        if (word < before) before = atomicMin(claim_map.words[number], word);
        return ClaimEntry(number, before);
    }
    uint entry = table_start(number);
    for (uint tried = 0u; tried >> kTableBits == 0u; ++tried) {
        uint key = claim_map.words[2u * entry];
        if (key == kNoBrick) {
            key = atomicCompSwap(claim_map.words[2u * entry], kNoBrick, number);
            if (key == kNoBrick) key = number;
        }
        if (key == number) return ClaimEntry(entry, atomicMin(claim_map.words[2u * entry + 1u], word));
        entry = table_next(entry);
    }
    return ClaimEntry(kNoBrick, kPendingBrick);
}

// `slot`: that which the brick has, kPendingBrick or kLaterBrick. Where the map has it.
uint claim_brick(uint number, uint slot) {
    ClaimEntry entered = enter_claim(number, slot);
    bool listed = entered.before == kLaterBrick;
    if (entered.before == kNoBrick) {
        uint place = atomicAdd(claim_list.count, 1u);
        listed = place < claim_list.entries.length();
        if (listed) claim_list.entries[place] = uvec2(number, slot);
    }
    if (listed && slot == kPendingBrick) atomicAdd(claim_list.pending, 1u);
    return entered.place;
}

#endif

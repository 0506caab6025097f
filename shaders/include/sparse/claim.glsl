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

// Whether nobody had claimed the brick.
bool enter_claim(uint number, uint word) {
    if (kTableBits == 0u) {
        if (claim_map.words[number] != kNoBrick) return false;
        return atomicCompSwap(claim_map.words[number], kNoBrick, word) == kNoBrick;
    }
    uint entry = table_start(number);
    for (uint tried = 0u; tried >> kTableBits == 0u; ++tried) {
        uint key = claim_map.words[2u * entry];
        if (key == number) return false;
        if (key == kNoBrick) {
            key = atomicCompSwap(claim_map.words[2u * entry], kNoBrick, number);
            if (key == number) return false;
            if (key == kNoBrick) {
                claim_map.words[2u * entry + 1u] = word;
                return true;
            }
        }
        entry = table_next(entry);
    }
    return false;
}

// `slot`: that which the brick has, or kPendingBrick.
void claim_brick(uint number, uint slot) {
    if (!enter_claim(number, slot)) return;
    uint place = atomicAdd(claim_list.count, 1u);
    if (place < claim_list.entries.length()) claim_list.entries[place] = uvec2(number, slot);
}

#endif

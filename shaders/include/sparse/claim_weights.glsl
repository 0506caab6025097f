#ifndef SPARSE_CLAIM_WEIGHTS
#define SPARSE_CLAIM_WEIGHTS
// Claims of bricks that weigh something: a full pool takes the slots of the lightest.
#include "sparse/claim.glsl"

buffer ClaimWeights { uint words[]; } claim_weights; // by place in the map

// A brick weighs as much as the heaviest of its claims. `slot`: as in `claim_brick`.
void claim_weighed(uint number, uint slot, uint weight) {
    uint place = claim_brick(number, slot);
    if (place != kNoBrick) atomicMax(claim_weights.words[place], weight);
}

#endif

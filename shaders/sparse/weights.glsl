#ifndef SPARSE_WEIGHTS
#define SPARSE_WEIGHTS
// How much claimed bricks weigh, for kernels that claim none.
#include "sparse/map.glsl"

readonly buffer ClaimWeights { uint words[]; } claim_weights; // by place in the map

// Of a brick that has been claimed.
uint weight_of(uint number) {
    uint place = find_place(number);
    return place == kNoBrick ? 0u : claim_weights.words[place];
}

#endif

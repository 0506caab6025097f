// What becomes of a leaf in a step.
#ifndef TERRAIN_BISECT_PLAN
#define TERRAIN_BISECT_PLAN

const uint kKeep = 0u;
const uint kCut = 1u;
const uint kMerge = 2u; // with its sibling, and the pair across

#endif

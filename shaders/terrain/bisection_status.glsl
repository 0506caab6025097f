// The words of a bisection's status: `BisectionStatus` in passes/terrain/bisection.hpp.
#ifndef TERRAIN_BISECTION_STATUS
#define TERRAIN_BISECTION_STATUS

const uint kListed = 0u;  // leaves that the list has
const uint kLeaves = 1u;  // of the tree
const uint kRefused = 2u; // cuts that would have made more leaves than there is room for
const uint kChanged = 3u; // cuts and merges of the last step
const uint kRoom = 4u;    // leaves that may still be made

const uint kLeafGroup = 64u;

#endif

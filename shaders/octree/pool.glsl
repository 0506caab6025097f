// Nodes: two words each. A block is eight children of one node; block 0 is the root's.
#ifndef OCTREE_POOL
#define OCTREE_POOL

// First word of a node.
const uint kHasChildren = 0x40000000u;
const uint kWasHit = 0x80000000u;   // its colour is one that was seen
const uint kFirstChild = 0x3fffffffu; // index of a node

// Second word: RGBA8, red in the lowest bits. Alpha is the occupancy: 127 is unknown.
const uint kUnknown = 127u;
const uint kNewValue = kUnknown << 24u;

const uint kNoBlock = 0xffffffffu;
const uint kNoNode = 0xffffffffu;

#endif

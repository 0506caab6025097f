// A pool of leaves: a slot has a node and the slots of the leaves across its edges, or is free. C++:
// passes/terrain/bisection_pool.cpp.
#ifndef TERRAIN_POOL
#define TERRAIN_POOL

const uint kNoSlot = 0xffffffffu;
const uvec4 kNoSlots = uvec4(kNoSlot);

// What becomes of a leaf, above the bits of its plan (wide_node.glsl): with its sibling it is merged into
// their parent, which takes the slot of the first.
const uint kMergeFirst = 8u;
const uint kMergeSecond = 16u;

#endif

// Blocks in which values have changed, and those above them. The word of a block counts its children
// whose own children have changed; its first bit says that a value of the block itself has.
#ifndef OCTREE_TOUCHED
#define OCTREE_TOUCHED

readonly buffer Blocks { uint parents[]; } blocks; // node whose children a block is
buffer Pending { uint words[]; } pending;

const uint kTouched = 0x80000000u;

// Whoever is the first in a block goes on with the one above it.
void touch(uint block) {
    uint before = atomicOr(pending.words[block], kTouched);
    while (before == 0u && block != 0u) {
        block = blocks.parents[block] / 8u;
        before = atomicAdd(pending.words[block], 1u);
    }
}

#endif

// Blocks for nodes that get children.
#ifndef OCTREE_NEW_BLOCK
#define OCTREE_NEW_BLOCK

#include "pool.glsl"
#include "status.glsl"

buffer Nodes { uvec2 values[]; } nodes;
writeonly buffer Blocks { uint parents[]; } blocks;
readonly buffer Free { uint numbers[]; } free;
writeonly buffer Fractions { uint words[]; } fractions;
buffer Status { TreeStatus elements[]; } status;

// The block that is the one to be taken with that number in an update: the free list first, from its
// end, then what was never used.
uint taken_block(uint number) {
    uint free_blocks = status.elements[0].free;
    if (number < free_blocks) return free.numbers[free_blocks - 1u - number];
    uint block = status.elements[0].blocks + number - free_blocks;
    return block < status.elements[0].room ? block : kNoBlock;
}

void make_block(uint block, uint parent) {
    for (uint i = 0u; i < 8u; ++i) {
        nodes.values[8u * block + i] = uvec2(0u, kNewValue);
        fractions.words[8u * block + i] = 0u;
    }
    blocks.parents[block] = parent;
}

#endif

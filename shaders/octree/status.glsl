// What an update counts: `OctreeStatus` of passes/octree/octree.hpp, member by member.
#ifndef OCTREE_STATUS
#define OCTREE_STATUS

struct TreeStatus {
    uint blocks;   // of eight nodes that were ever taken, those in the free list too
    uint free;     // blocks in the free list
    uint root;     // value of the root, RGBA8
    uint frames;   // updates so far
    uint leaves;   // that points of this update are in
    uint wanted;   // blocks that this update had to add
    uint freed;    // blocks that came back
    uint no_room;  // blocks that the pool had no room for
    uint lost;     // leaves whose points are not in the tree
    uint outside;  // points outside the root, or not finite
    uint cut_rays; // that took more steps than there may be
    uint room;     // blocks that the pool holds
};

#endif

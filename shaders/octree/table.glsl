// The table of nodes that get children in this update, found by hashing with linear probing. A slot
// names a point and a level, for the key of a point has those of all nodes above it: its bits are
// point << 5 | level, plus one; 0 where it is empty.
#ifndef OCTREE_TABLE
#define OCTREE_TABLE

const uint kMaxProbes = 512u; // tables are at most half full
const uint kNoSlot = 0xffffffffu;

uint named(uint point, uint level) {
    return (point << 5u | level) + 1u;
}

uint point_of(uint name) {
    return name - 1u >> 5u;
}

uint level_of(uint name) {
    return name - 1u & 31u;
}

#endif

// What a cast counts: `DisplacedCastStatus` of passes/displacement/cast.hpp, member by member.
#ifndef DISPLACEMENT_STATUS
#define DISPLACEMENT_STATUS

struct CastStatus {
    uint pairs; // found, also those without room
    uint room;  // for pairs
    uint hits;     // of patches
    uint coarse;   // of these, by rays whose pixel is smaller than a cell of the finest level
};

const uint kCoarse = 0x100u; // beside a level: the ray's pixel is smaller than the patch's cells

// Rays from `begin` on, before `end`, of the sorted pairs: all of one patch.
struct PatchJob {
    uint patch_index;
    uint begin;
    uint end;
};

#endif

// What the levels of an adaptive subdivision hand on.
#ifndef STATE
#define STATE

// `SubdivisionStatus` of passes/subdivision/adaptive.hpp, member by member.
struct SubdivisionState {
    uint triangles;
    uint vertices;
    uint level;   // the deepest
    uint stopped; // levels that found no room
    uint needed;  // triangles that there should have been room for, at least
    uint room;    // triangles that there is room for
};

// What becomes of a level.
struct LevelStep {
    uint split; // 0: no record of this level is split
    uint first_triangle;
    uint first_vertex; // of those that are made
    uint records;
};

// Marks of a record: bits 0 to 2, edges whose middle it makes; 3 to 5, edges where it joins triangles of
// another level.
const uint kMarkJoins = 3u;

// Links of a record: 4 * neighbour + the neighbour's edge, or there is none of this level.
const uint kLinkBoundary = 0xffffffffu;
const uint kLinkCoarser = 0xfffffffeu;

#endif

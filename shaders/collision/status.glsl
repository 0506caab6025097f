// What a search counts: `CollisionStatus` of passes/collision/pairs.hpp, member by member.
#ifndef COLLISION_STATUS
#define COLLISION_STATUS

struct SearchStatus {
    uint pairs;      // triangles that meet, also those without room
    uint candidates; // pairs whose boxes meet, also those without room
    uint frontier;   // the most pairs of nodes that a level had, also those without room
    uint levels;     // of the search
    uint box_tests;
    uint flat_a;     // triangles without area on the lattice
    uint flat_b;
    uint not_rigid;  // 1: the placement is no motion
    uint pair_room;
    uint candidate_room;
    uint frontier_room;
};

#endif

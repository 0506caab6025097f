// Pairs of leaves whose boxes meet.
#ifndef COLLISION_CANDIDATES
#define COLLISION_CANDIDATES

buffer CollisionStatus { SearchStatus elements[]; } collision_status;
writeonly buffer Candidates { uvec2 values[]; } candidates; // leaf of the first mesh, of the second

void add_candidate(uint leaf_a, uint leaf_b, uint room) {
    uint place = atomicAdd(collision_status.elements[0].candidates, 1u);
    if (place < room) candidates.values[place] = uvec2(leaf_a, leaf_b);
}

#endif

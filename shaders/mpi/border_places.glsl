#ifndef MPI_BORDER_PLACES
#define MPI_BORDER_PLACES
// The places of all blocks of a list of bricks that travel.
#include "border.glsl"
#include "sparse/map.glsl"

readonly buffer BorderList { uint words[]; } border_list;

// The number of the brick at a place, of `count` blocks; kNoBrick where there is none.
uint listed_brick(uint place, uint count) {
    uint peer = peer_of_place(place, count);
    uint at = place - peers.list[peer].x;
    uint block = block_of(peer);
    return at < border_list.words[block] ? border_list.words[block + 1u + at] : kNoBrick;
}

#endif

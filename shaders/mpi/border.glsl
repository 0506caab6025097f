#ifndef MPI_BORDER
#define MPI_BORDER
// Bricks that travel between ranks. A list has a block for each of the other ranks: how many bricks
// there are, then their numbers, for which each block has a fixed number of places.

readonly buffer Peers {
    uvec4 list[]; // places before the block, its places, bricks of all boxes before those of the rank
} peers;

// Where a block begins in a list: those before it have a count each.
uint block_of(uint peer) {
    return peers.list[peer].x + peer;
}
// The block that place `place` of all blocks is in, of `count` blocks.
uint peer_of_place(uint place, uint count) {
    uint peer = 0u;
    while (peer + 1u < count && peers.list[peer + 1u].x <= place)
        ++peer;
    return peer;
}
// The block that brick `index` of all boxes is for.
uint peer_of_brick(uint index, uint count) {
    uint peer = 0u;
    while (peer + 1u < count && peers.list[peer + 1u].z <= index)
        ++peer;
    return peer;
}

#endif

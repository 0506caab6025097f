// What a tile of primitives/look_back.glsl publishes where its value is a count of elements, which
// has thirty bits (kMaxElements in passes/primitives/elements.hpp): one word.
#include "published.glsl"

// Zero at the start: the next tile's number, then a word for each tile.
coherent buffer LookBack { uint states[]; } look_back;

uint take_ticket() {
    return atomicAdd(look_back.states[0], 1u);
}

void publish(uint tile, uint value, uint state) {
    atomicMax(look_back.states[tile + 1u], state << 30 | value);
}

Published published(uint tile) {
    uint word = atomicOr(look_back.states[tile + 1u], 0u);
    return Published(word >> 30, word & 0x3fffffffu);
}

// What a tile of primitives/look_back.glsl publishes where its value may take all 32 bits. Value and
// state do not fit one word, and two words are not written at once. So each of the two words carries
// the state and half of the value: a reader that finds the same state in both has the value, in
// whatever order they arrive.
#include "published.glsl"

// Zero at the start: the next tile's number and an unused word, then two words for each tile.
coherent buffer LookBack { uvec2 states[]; } look_back;

uint take_ticket() {
    return atomicAdd(look_back.states[0].x, 1u);
}

void publish(uint tile, uint value, uint state) {
    atomicMax(look_back.states[tile + 1u].x, state << 16 | (value & 0xffffu));
    atomicMax(look_back.states[tile + 1u].y, state << 16 | value >> 16);
}

Published published(uint tile) {
    uvec2 words = uvec2(atomicOr(look_back.states[tile + 1u].x, 0u),
                        atomicOr(look_back.states[tile + 1u].y, 0u));
    bool whole = words.x >> 16 == words.y >> 16;
    return Published(whole ? words.x >> 16 : kUnknown, (words.x & 0xffffu) | words.y << 16);
}

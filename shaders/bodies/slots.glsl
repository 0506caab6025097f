// Where a group keeps the bodies of its cell: a word a constraint with a slot for each body, of eight bits. A slot is
// twice the number of a constraint among those of the cell, and one more for a second body; bodies that constraints
// share and move have one slot. Bits 16 and 17 say whose the slots are: who reads the body, and writes it if it moves
// (bits 18 and 19).
#ifndef BODIES_SLOTS
#define BODIES_SLOTS

const uint kSlotCell = 128u; // constraints of a cell, at most; fuller cells have none

uint slots_word(uvec2 slots, uint constraint, bvec2 moves) {
    uvec2 own = uvec2(2u * constraint, 2u * constraint + 1u);
    uint owns = (slots.x == own.x ? 0x10000u : 0u) | (slots.y == own.y ? 0x20000u : 0u);
    return slots.x | slots.y << 8u | owns | (moves.x ? 0x40000u : 0u) | (moves.y ? 0x80000u : 0u);
}
uvec2 slots_of(uint word) {
    return uvec2(word & 0xffu, word >> 8u & 0xffu);
}
bvec2 owns_slots(uint word) {
    return bvec2((word & 0x10000u) != 0u, (word & 0x20000u) != 0u);
}
bvec2 moves_bodies(uint word) {
    return bvec2((word & 0x40000u) != 0u, (word & 0x80000u) != 0u);
}
#endif

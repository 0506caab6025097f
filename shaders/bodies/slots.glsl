// Where a group keeps the bodies of its cell: a word a constraint with a slot for each body, of eight bits. A slot is
// twice the number of a constraint among those of the cell, and one more for a second body; bodies that constraints
// share and move have one slot. Bits 16 and 17 say whose the slots are: who reads and writes the body.
#ifndef BODIES_SLOTS
#define BODIES_SLOTS

const uint kSlotCell = 128u; // constraints of a cell, at most; fuller cells have none

uint slots_word(uvec2 slots, uint constraint) {
    uvec2 own = uvec2(2u * constraint, 2u * constraint + 1u);
    return slots.x | slots.y << 8u | (slots.x == own.x ? 0x10000u : 0u) | (slots.y == own.y ? 0x20000u : 0u);
}
uvec2 slots_of(uint word) {
    return uvec2(word & 0xffu, word >> 8u & 0xffu);
}
bvec2 owns_slots(uint word) {
    return bvec2((word & 0x10000u) != 0u, (word & 0x20000u) != 0u);
}
#endif

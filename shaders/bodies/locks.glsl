// What is known of a body in a set, for cells with more constraints than kFewInCell: bits of the batches that it has,
// and the first constraint of a round.
#ifndef BODIES_LOCKS
#define BODIES_LOCKS

const uint kFixed = 0x80000000u;
const uint kNone = 0xffffffffu;
const uint kFewInCell = 128u;
const uint kLockWords = 5u; // of a body and set

uint empty_lock(uint word) {
    return word == kLockWords - 1u ? kNone : 0u;
}
#endif

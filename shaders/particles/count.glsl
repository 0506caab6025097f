// How many particles there are. In C++, `bind_count` binds the tally, and sets the member `count` of
// the kernel's parameters.
#ifndef PARTICLE_COUNT
#define PARTICLE_COUNT
layout(constant_id = 0) const uint has_tally = 0u; // 1: the number is in a buffer

readonly buffer Tally { uint words[]; } tally;

// `count`, for which there is room, or as many of them as there are.
uint particle_count(uint count) {
    if (has_tally != 0u) return min(tally.words[0], count);
    return count;
}
#endif

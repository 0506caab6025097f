// Bodies that touch, directly or over others, make an island. Its name is the lowest number in it,
// whatever the order in which they are joined.
#ifndef BODIES_ISLANDS
#define BODIES_ISLANDS

// Makes what it passes lead farther, so that a row of a hundred thousand bodies takes few hops. What a
// body leads to is never more than itself.
uint root_of(uint body) {
    uint at = body;
    uint above = atomicAdd(roots.values[at], 0u);
    while (above != at) {
        uint next = atomicAdd(roots.values[above], 0u);
        if (next != above) atomicMin(roots.values[at], next);
        at = above;
        above = next;
    }
    return at;
}
#endif

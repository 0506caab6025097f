// Bodies that touch, directly or over others, make an island. Its name is the lowest number in it,
// whatever the order in which they are joined.
#ifndef BODIES_ISLANDS
#define BODIES_ISLANDS

const uint kMaxHops = 65535u;

uint root_of(uint body) {
    uint at = body;
    for (uint hop = 0u; hop < kMaxHops; ++hop) {
        uint above = atomicAdd(roots.values[at], 0u);
        if (above == at) break;
        at = above;
    }
    return at;
}
#endif

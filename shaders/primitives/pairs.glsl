// Pairs of a sort key and an index. No two are equal, so sorting them is stable whatever the
// network.
#ifndef PRIMITIVES_PAIRS
#define PRIMITIVES_PAIRS
#define KEY_WORDS 1
#include "length.glsl"
#include "sort_key.glsl"

#define Pair uvec2 // key, index

bool pair_before(Pair a, Pair b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// What stands beyond the last element: behind all others.
Pair padding(uint index) {
    return Pair(last_key(), index);
}
#endif

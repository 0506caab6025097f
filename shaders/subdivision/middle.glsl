// Numbers of the vertices that a level makes in the middles of edges.
#ifndef MIDDLE
#define MIDDLE

#include "state.glsl"

readonly buffer Links { uvec4 elements[]; } links;
readonly buffer Marks { uint values[]; } marks;
readonly buffer OwnedBefore { uint values[]; } owned_before;

// Of an edge which this record or its neighbour splits.
uint middle_of(uint index, uint edge, uint first_vertex) {
    uint mark = marks.values[index];
    if ((mark >> edge & 1u) == 0u) { // the neighbour's
        uint link = links.elements[index][edge];
        index = link >> 2;
        edge = link & 3u;
        mark = marks.values[index];
    }
    return first_vertex + owned_before.values[index] + bitCount(mark & ((1u << edge) - 1u));
}

#endif

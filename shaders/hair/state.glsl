// The strands of a group: places in shared memory, places before the step in the group's part of
// `former`. Lengths at rest are read where they lie: the less a group keeps, the more of them run. A strand has a lane of its own for what goes along it, and every lane has
// a part of a strand for what vertices and edges do for themselves.
#ifndef HAIR_STATE
#define HAIR_STATE

#include "strand.glsl"

// One more column keeps the lanes that load a strand together on different banks.
const uint kColumns = kStrands + 1u;
const uint kLanesOfStrand = kLanes / kStrands;
const uint kPartVertices = (kVertices + kLanesOfStrand - 1u) / kLanesOfStrand;

shared float places[3u * kVertices * kColumns];
shared float numbers[kNumbers * kVertices * kColumns + 1u]; // what solvers keep for each edge

uint place_index(uint column, uint vertex) {
    return 3u * vertex * kColumns + column;
}
vec3 place_at(uint at) {
    return vec3(places[at], places[at + kColumns], places[at + 2u * kColumns]);
}
void set_place_at(uint at, vec3 x) {
    places[at] = x.x;
    places[at + kColumns] = x.y;
    places[at + 2u * kColumns] = x.z;
}
vec3 place_of(uint column, uint vertex) {
    return place_at(place_index(column, vertex));
}
void set_place(uint column, uint vertex, vec3 x) {
    set_place_at(place_index(column, vertex), x);
}
float rest_length(uint column, uint edge) { // of the edge that begins at a vertex
    return local.values[woven(group_begin + column, edge, kVertices)].w;
}
uint number_index(uint which, uint column, uint edge) {
    return (which * kVertices + edge) * kColumns + column;
}

// Where a vertex is in `former` while the group works: lanes side by side have columns side by side.
uint former_index(uint column, uint vertex) {
    return group_begin * kVertices + vertex * group_strands + column;
}

// The vertices of a lane.
struct Part {
    uint column;
    uint begin;
    uint end;
};
Part own_part() {
    uint begin = min(gl_LocalInvocationIndex / kStrands * kPartVertices, kVertices);
    return Part(gl_LocalInvocationIndex % kStrands, begin, min(begin + kPartVertices, kVertices));
}

// Other lanes then see what this one wrote to shared memory and to `former`.
void meet_lanes() {
    groupMemoryBarrier();
    barrier();
}

#endif

// The strand of each lane in shared memory: places now and before the step.
#ifndef HAIR_STATE
#define HAIR_STATE

// Of a group: the lanes, one a strand. One more column keeps the lanes that load a strand together
// on different banks.
const uint kColumns = gl_WorkGroupSize.x + 1u;
shared float places[3u * kVertices * kColumns];
shared float former_places[3u * kVertices * kColumns];

uint place_index(uint strand, uint vertex) {
    return 3u * vertex * kColumns + strand;
}

vec3 place_of(uint vertex) {
    uint at = place_index(gl_LocalInvocationIndex, vertex);
    return vec3(places[at], places[at + kColumns], places[at + 2u * kColumns]);
}
void set_place(uint vertex, vec3 x) {
    uint at = place_index(gl_LocalInvocationIndex, vertex);
    places[at] = x.x;
    places[at + kColumns] = x.y;
    places[at + 2u * kColumns] = x.z;
}
vec3 former_of(uint vertex) {
    uint at = place_index(gl_LocalInvocationIndex, vertex);
    return vec3(former_places[at], former_places[at + kColumns], former_places[at + 2u * kColumns]);
}
void set_former(uint vertex, vec3 x) {
    uint at = place_index(gl_LocalInvocationIndex, vertex);
    former_places[at] = x.x;
    former_places[at + kColumns] = x.y;
    former_places[at + 2u * kColumns] = x.z;
}

#endif

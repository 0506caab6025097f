// The strand of each lane in shared memory: places now and before the step.
#ifndef HAIR_STATE
#define HAIR_STATE

// One more column keeps the lanes that load a strand together on different banks.
const uint kColumns = kStrands + 1u;
shared float places[3u * kVertices * kColumns];
shared float former_places[3u * kVertices * kColumns];

uint place_index(uint strand, uint vertex) {
    return 3u * vertex * kColumns + strand;
}

vec3 place_at(uint at) {
    return vec3(places[at], places[at + kColumns], places[at + 2u * kColumns]);
}
void set_place_at(uint at, vec3 x) {
    places[at] = x.x;
    places[at + kColumns] = x.y;
    places[at + 2u * kColumns] = x.z;
}
vec3 former_at(uint at) {
    return vec3(former_places[at], former_places[at + kColumns], former_places[at + 2u * kColumns]);
}
void set_former_at(uint at, vec3 x) {
    former_places[at] = x.x;
    former_places[at + kColumns] = x.y;
    former_places[at + 2u * kColumns] = x.z;
}

// Of the strand of a lane that has one.
vec3 place_of(uint vertex) {
    return place_at(place_index(gl_LocalInvocationIndex, vertex));
}
void set_place(uint vertex, vec3 x) {
    set_place_at(place_index(gl_LocalInvocationIndex, vertex), x);
}
vec3 former_of(uint vertex) {
    return former_at(place_index(gl_LocalInvocationIndex, vertex));
}
void set_former(uint vertex, vec3 x) {
    set_former_at(place_index(gl_LocalInvocationIndex, vertex), x);
}

#endif

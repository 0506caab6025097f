// Numbers between places, by linear interpolation along the first three axes.
#ifndef FILTER_BETWEEN
#define FILTER_BETWEEN
#include "indices.glsl"

// The lower corner and how far beyond it a place is. Places may be anywhere.
struct Between {
    ivec4 low;
    vec3 part;
};

Between between_at(vec3 place) {
    // As far as whole numbers are exact.
    vec3 within = clamp(place, vec3(-8388608.0), vec3(8388608.0));
    vec3 low = floor(within);
    return Between(ivec4(ivec3(low), 0), within - low);
}

// Of eight corners; one with no part in the result is not read.
float corner_share(Between at, uint corner) {
    bvec3 high = bvec3((corner & 1u) != 0u, (corner & 2u) != 0u, (corner & 4u) != 0u);
    vec3 share = mix(1.0 - at.part, at.part, high);
    return share.x * share.y * share.z;
}

ivec4 corner_place(Between at, uint corner) {
    return at.low + ivec4(corner & 1u, corner >> 1 & 1u, corner >> 2, 0u);
}
#endif

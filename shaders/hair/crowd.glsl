// A grid of how much hair there is and how it moves, in whole numbers, so that the order of additions
// does not matter.
#ifndef HAIR_CROWD
#define HAIR_CROWD

const float kWholeMass = 1024.0;
const float kWholeWay = 4096.0; // of a cell
const float kMaxWay = 4.0;     // cells that hair moves in a step, as the grid knows it

// The corner and the shares of the eight cells around a place, in cells from the middle of the first.
struct Around {
    ivec3 low;
    vec3 share;
};

Around around(vec3 cells) {
    vec3 low = floor(cells - 0.5);
    return Around(ivec3(low), cells - 0.5 - low);
}
float share_of(Around a, uint corner) {
    vec3 s = mix(1.0 - a.share, a.share, vec3(corner & 1u, corner >> 1u & 1u, corner >> 2u));
    return s.x * s.y * s.z;
}
ivec3 cell_of(Around a, uint corner) {
    return a.low + ivec3(corner & 1u, corner >> 1u & 1u, corner >> 2u);
}

#endif

// Places of arrays of four axes, x fastest, and where their numbers lie.
#ifndef FILTER_INDICES
#define FILTER_INDICES
#include "border.glsl"

uvec4 place_of(uint index, uvec4 size) {
    uint line = index / size.x;
    uint slice = line / size.y;
    return uvec4(index % size.x, line % size.y, slice % size.z, slice / size.z);
}

uint index_of(uvec4 place, uvec4 size) {
    return ((place.w * size.z + place.z) * size.y + place.y) * size.x + place.x;
}

uint count_of(uvec4 size) {
    return size.x * size.y * size.z * size.w;
}

// Where the number is that stands for a place; kNowhere: zero does.
uint index_read(uint border, ivec4 place, uvec4 size) {
    uvec4 read = uvec4(place_read(border, place.x, size.x), place_read(border, place.y, size.y),
                       place_read(border, place.z, size.z), place_read(border, place.w, size.w));
    return any(equal(read, uvec4(kNowhere))) ? kNowhere : index_of(read, size);
}
#endif

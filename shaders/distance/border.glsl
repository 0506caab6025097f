#ifndef DISTANCE_BORDER
#define DISTANCE_BORDER
// What lies outside a field: FieldBorder in passes/distance/field.hpp.

const uint kObjectOutside = 1u;
const uint kWrapsAround = 2u;

// Whether a neighbour of a texel has a value of its own: else `outside_value` is its value.
bool has_texel(ivec2 neighbour, ivec2 size, uint border) {
    bool inside = all(greaterThanEqual(neighbour, ivec2(0))) && all(lessThan(neighbour, size));
    return inside || border == kWrapsAround;
}
ivec2 wrapped(ivec2 neighbour, ivec2 size) {
    return (neighbour + size) % size;
}
uint outside_value(uint border, uint unreached) {
    return border == kObjectOutside ? 0u : unreached;
}

#endif

// The least and greatest displacements of the parts of a map: of the squares between four texels, of
// four of these squares, and so on up to one part for the whole map. All are in one buffer, level after
// level; a level's sides are powers of two.
// The C++ side is passes/displacement/surface.cpp.
#ifndef DISPLACEMENT_BOUNDS
#define DISPLACEMENT_BOUNDS

layout(constant_id = 49) const uint map_width = 1u; // texels
layout(constant_id = 50) const uint map_height = 1u;

// Squares between texels along each side, as a power of two.
ivec2 square_bits() {
    uvec2 size = max(uvec2(map_width, map_height), uvec2(2u));
    return findMSB(size - 2u) + 1;
}
int last_bounds_level() {
    ivec2 bits = square_bits();
    return max(bits.x, bits.y);
}
// The last part along each side of a level.
ivec2 last_part(int level) {
    return (ivec2(1) << max(square_bits() - level, ivec2(0))) - 1;
}

uint part_number(ivec2 at, int level) {
    ivec2 bits = square_bits();
    uint all = uint(bits.x + bits.y); // as a power of two
    int square = min(level, min(bits.x, bits.y)); // as long as both sides are halved
    int longest = max(bits.x, bits.y);
    uint before = ((1u << all) - (1u << all >> 2 * square)) / 3u * 4u +
                  2u * ((1u << longest >> square) - (1u << longest >> level));
    return before + uint(at.y) * uint(last_part(level).x + 1) + uint(at.x);
}

// The upper halves of floats, rounded down and up.
uvec3 halves_below(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return bits + mix(uvec3(0u), uvec3(0xffffu), greaterThan(bits, uvec3(0x7fffffffu))) >> 16u;
}
uvec3 halves_above(vec3 v) {
    uvec3 bits = floatBitsToUint(v);
    return bits + mix(uvec3(0xffffu), uvec3(0u), greaterThan(bits, uvec3(0x7fffffffu))) >> 16u;
}

// A word an axis: the least displacement in its low half, the greatest in its high one.
uvec4 packed_bounds(vec3 least, vec3 most) {
    return uvec4(halves_below(least) | halves_above(most) << 16u, 0u);
}
vec3 least_of(uvec4 part) {
    return uintBitsToFloat(part.xyz << 16u);
}
vec3 most_of(uvec4 part) {
    return uintBitsToFloat(part.xyz & 0xffff0000u);
}

#endif

#ifndef DISTANCE_EROSION
#define DISTANCE_EROSION
// One pass of an erosion along an axis, of each channel on its own. Passes 1, 2, ..., n, whose
// offsets are the odd numbers, compose to the least f(x + k) + k^2 over |k| <= n.

#include "border.glsl"

struct Erosion {
    ivec2 along;    // (1, 0) or (0, 1)
    uint offset;    // beta = 2d - 1 in pass d
    uint most;      // what is more is not stored
    uint border;
    uint unreached;
};

// Outside is an object for the first channel alone: the second one measures the background.
uvec2 outside_values(Erosion erosion) {
    return uvec2(outside_value(erosion.border, erosion.unreached), erosion.unreached);
}
uvec2 value_at(usampler2D before, ivec2 texel, Erosion erosion) {
    ivec2 size = textureSize(before, 0);
    if (!has_texel(texel, size, erosion.border)) return outside_values(erosion);
    return texelFetch(before, wrapped(texel, size), 0).rg;
}

// "Unreached" is looked for first: with an offset it would wrap where it is all ones, and would be
// stored where `most` allows it.
uint eroded(uint own, uint nearest, Erosion erosion) {
    if (nearest == erosion.unreached) return own;
    uint value = nearest + erosion.offset;
    return value <= erosion.most ? min(own, value) : own;
}

uvec2 eroded_at(usampler2D before, ivec2 texel, uvec2 own, Erosion erosion) {
    uvec2 nearest = min(value_at(before, texel - erosion.along, erosion),
                        value_at(before, texel + erosion.along, erosion));
    return uvec2(eroded(own.x, nearest.x, erosion), eroded(own.y, nearest.y, erosion));
}

#endif

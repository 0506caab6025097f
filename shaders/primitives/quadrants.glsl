// The four quadrants around the origin of a summed-area table, each with coordinates that count
// outwards from it. Quadrant 0 lies right of and below the origin, 1 left of it, 2 above it, 3 left
// and above. With the origin in the corner of the image there is only quadrant 0.

// Texels of a quadrant. `size` is the image's.
ivec2 quadrant_size(uint quadrant, ivec2 size, ivec2 origin) {
    return ivec2((quadrant & 1u) != 0u ? origin.x : size.x - origin.x,
                 (quadrant & 2u) != 0u ? origin.y : size.y - origin.y);
}

// The texel of the image at `place` of a quadrant.
ivec2 quadrant_texel(uint quadrant, ivec2 place, ivec2 origin) {
    return ivec2((quadrant & 1u) != 0u ? origin.x - 1 - place.x : origin.x + place.x,
                 (quadrant & 2u) != 0u ? origin.y - 1 - place.y : origin.y + place.y);
}

// How much entropy-coded data there is. Include after shape.glsl.
#include "stream.glsl"

readonly buffer Total { uint bits; } total;          // of all blocks, modulo 2^32
readonly buffer Segmented { uint bytes; } segmented; // with restart markers, where there are some
readonly buffer Counts {
    uint not_finite; // pixels
    uint low_bits;   // of all blocks, where 32 bits may not count them
    uint high_bits;
    uint spare;
} counts;

JpegExtent data_extent(uint room_words) {
    uint bytes = restart == 0u ? total.bits / 8u + (total.bits % 8u != 0u ? 1u : 0u) : segmented.bytes;
    if (counts.high_bits != 0u) bytes = 0xffffffffu;
    JpegExtent extent;
    extent.needed = bytes;
    extent.bytes = min(bytes, 4u * room_words);
    extent.words = (extent.bytes + 3u) / 4u;
    extent.tiles = (extent.words + kTileWords - 1u) / kTileWords;
    return extent;
}

#version 460
// How long the entropy-coded data will be.

layout(local_size_x = 1) in;

uniform Params { uint room; } params; // words

readonly buffer Total { uint low; uint high; } total;
readonly buffer Segmented { uint bytes; } segmented; // with restart markers

#include "shape.glsl"
#include "stream.glsl"

writeonly buffer Extent { JpegExtent extent; } result;

void main() {
    uint bytes = restart == 0u ? total.low / 8u + (total.low % 8u != 0u ? 1u : 0u) : segmented.bytes;
    if (total.high != 0u) bytes = 0xffffffffu;
    uint needed = bytes;
    bytes = min(bytes, 4u * params.room);
    uint words = (bytes + 3u) / 4u;
    result.extent = JpegExtent(bytes, words, (words + kTileWords - 1u) / kTileWords, needed);
}

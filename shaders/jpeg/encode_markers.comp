#version 460
// Restart markers, where jpeg/encode_segments kept two bytes for each: they are not stuffed.

layout(local_size_x = 64) in;

uniform Params {
    uint segments;
    uint room; // words of the file
} params;

#include "shape.glsl"
#include "extent.glsl"
#include "stuffing.glsl"
#include "invocation.glsl"

readonly buffer Header { uint bytes; uint words[]; } header;
readonly buffer Stream { uint words[]; } stream;
readonly buffer Segments { uint bytes[]; } segments;
readonly buffer Before { uint stuffed[]; } before;

buffer File { uint words[]; } file;

// Where the data's byte `at` is in the file.
uint place_in_file(uint at) {
    uint word = at / 4u;
    uint tile = word / kTileWords;
    uint stuffed = before.stuffed[tile];
    for (uint i = tile * kTileWords; i < word; ++i) stuffed += count_255(stream.words[i]);
    uint first_bytes = at % 4u == 0u ? 0u : stream.words[word] >> (32u - 8u * (at % 4u));
    return header.bytes + at + stuffed + count_255(first_bytes);
}

void put_byte(uint byte, uint position) {
    if (position / 4u < params.room) atomicOr(file.words[position / 4u], byte << (8u * (position % 4u)));
}

void main() {
    uint segment = invocation_index();
    if (segment + 1u >= params.segments) return;
    uint at = segments.bytes[segment + 1u] - 2u;
    if (at + 2u > data_extent(params.room).bytes) return;
    uint position = place_in_file(at);
    put_byte(0xffu, position);
    put_byte(0xd0u + segment % 8u, position + 1u);
}

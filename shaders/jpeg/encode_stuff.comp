#version 460
// The file: the header, the entropy-coded data with a zero after each byte of 255, and the end. A group
// takes a tile of the data and writes the words of the file that begin in what it makes of it; for the
// last of them it looks at what comes next.

layout(local_size_x = 256) in;

layout(constant_id = 4) const uint sums_up = 0u; // `before` has the counts themselves

uniform Params { uint room; } params; // words of the file

#include "shape.glsl"
#include "extent.glsl"
#include "stuffing.glsl"
#include "invocation.glsl"

readonly buffer Header { uint bytes; uint words[]; } header; // words whose highest byte comes first
readonly buffer Stream { uint words[]; } stream;
readonly buffer Before { uint stuffed[]; } before; // in the tiles before

writeonly buffer File { uint words[]; } file;
writeonly buffer Length { uint bytes; } file_length;
writeonly buffer Status { // JpegStatus of passes/jpeg/encode.hpp
    uint bytes;
    uint room;
    uint data;
    uint not_finite;
} result;

const uint kMaxHeader = 2048u; // bytes
const uint kWords = (8u * kTileWords + kMaxHeader) / 4u + 4u;

shared uint words[kWords];
shared uint sums[2u * gl_WorkGroupSize.x];
shared uint shared_end;
shared uint shared_before;

JpegExtent extent; // of the data

// The group's bytes begin in the file's word `origin`.
void place(uint byte, uint position, uint origin) {
    if (byte != 0u) atomicOr(words[position / 4u - origin], byte << (8u * (position % 4u)));
}

// Four bytes of the data, or as many as there are, from this place of the file on; returns the next.
uint place_word(uint index, uint position, uint origin) {
    uint word = stream.words[index];
    uint end = min(4u, extent.bytes - 4u * index);
    for (uint i = 0u; i < end; ++i) {
        uint byte = word >> (24u - 8u * i) & 0xffu;
        place(byte, position, origin);
        position += byte == 0xffu ? 2u : 1u;
    }
    return position;
}

// What comes before in the tile, of a count of each invocation.
uint counts_before(uint count) {
    uint own = gl_LocalInvocationIndex;
    uint from = 0u;
    sums[own] = count;
    barrier();
    for (uint step = 1u; step < gl_WorkGroupSize.x; step *= 2u) {
        uint sum = sums[from + own] + (own >= step ? sums[from + own - step] : 0u);
        from = gl_WorkGroupSize.x - from;
        sums[from + own] = sum;
        barrier();
    }
    return sums[from + own] - count;
}

// Bytes of 255 in the tiles before.
uint stuffed_before(uint tile) {
    if (sums_up == 0u) return before.stuffed[tile];
    if (gl_LocalInvocationIndex == 0u) shared_before = 0u;
    barrier();
    uint sum = 0u;
    for (uint i = gl_LocalInvocationIndex; i < tile; i += gl_WorkGroupSize.x) sum += before.stuffed[i];
    if (sum != 0u) atomicAdd(shared_before, sum);
    barrier();
    return shared_before;
}

// `bytes`: what the file takes, if all of the data was there. Where it was not, the rest may all be bytes
// of 255: with twice the data's room, the header and the end there is enough in any case.
void report(uint bytes) {
    uint needed = extent.needed;
    if (needed > 4u * params.room)
        bytes = needed > 0x7fffffffu - kMaxHeader ? 0xffffffffu : header.bytes + 2u * needed + 2u;
    if (bytes < needed) bytes = 0xffffffffu;
    file_length.bytes = bytes;
    result.bytes = bytes;
    result.room = 4u * params.room;
    result.data = extent.bytes;
    result.not_finite = counts.not_finite;
}

void main() {
    uint tile = group_index();
    extent = data_extent(params.room);
    if (tile >= extent.tiles) return;
    uint own = gl_LocalInvocationIndex;
    uint data_start = header.bytes + 4u * tile * kTileWords + stuffed_before(tile);
    uint start = tile == 0u ? 0u : data_start;
    uint origin = start / 4u;
    for (uint i = own; i < kWords; i += gl_WorkGroupSize.x) words[i] = 0u;

    uint end_word = min((tile + 1u) * kTileWords, extent.words);
    uint first = tile * kTileWords + 2u * own;
    uint count = 0u;
    for (uint i = first; i < min(first + 2u, end_word); ++i) count += count_255(stream.words[i]);
    uint earlier = counts_before(count); // its barriers order the zeros, too
    uint position = data_start + 8u * own + earlier;
    for (uint i = first; i < min(first + 2u, end_word); ++i) position = place_word(i, position, origin);
    if (tile == 0u)
        for (uint i = own; i < header.bytes; i += gl_WorkGroupSize.x)
            place(header.words[i / 4u] >> (24u - 8u * (i % 4u)) & 0xffu, i, origin);

    // Whoever has the tile's last word goes on with what follows: up to three bytes, and the end.
    bool last = tile == extent.tiles - 1u;
    if (first < end_word && first + 2u >= end_word) {
        uint end = position;
        if (!last) end = place_word(end_word, position, origin);
        if (last || end_word + 1u >= extent.words) {
            place(0xffu, end, origin);
            place(0xd9u, end + 1u, origin);
        }
        if (last) {
            position += 2u;
            report(position);
        }
        shared_end = position;
    }
    barrier();
    uint end = shared_end;
    uint begin = (start + 3u) / 4u;
    for (uint i = begin + own; 4u * i < end; i += gl_WorkGroupSize.x)
        if (i < params.room) file.words[i] = words[i - origin];
}

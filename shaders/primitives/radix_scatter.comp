#version 460
//! variants KEY_WORDS=1,2 VALUE_WORDS=0,1,2 except 2,2

// One digit of the radix sort where the groups do not talk to each other: where the elements of a
// chunk go has been counted before.
#include "radix_tile.glsl"
#include "radix_chunk.glsl"
#include "invocation.glsl"

readonly buffer Offsets { uint words[]; } offsets; // digit by digit, of each chunk: equal digits
                                                   // in the chunks before
readonly buffer Totals { uint words[]; } totals;   // of each digit

void main() {
    uint chunk = group_index();
    uint count = element_count(params.most);
    if (chunk >= params.chunks) return;
    uvec2 tiles = tiles_of_chunk(chunk, count);
    uint digit = own_index();
    uint next = exclusive_scan(digit < kBins ? totals.words[digit] : 0u); // where the next one goes
    if (digit < kBins) next += offsets.words[digit * params.chunks + chunk];

    if (tiles.x < tiles.y) fetch_keys(tiles.x * kTile, min(count - tiles.x * kTile, kTile));
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
        uint first = tile * kTile;
        uint elements = min(count - first, kTile);
        take_keys();
        // On the way while this tile is sorted.
        if (tile + 1u < tiles.y) fetch_keys(first + kTile, min(count - first - kTile, kTile));
        uint in_tile = count_digits();
        uint start = begin_digits(in_tile);
        place_elements();
#if VALUE_WORDS > 0
        load_values(first, elements);
#endif
        if (digit < kBins) destination[digit] = next - start;
        next += in_tile;
        store_elements(elements);
        barrier(); // before the next tile comes into shared memory
    }
}

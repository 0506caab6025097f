// One digit of the radix sort where the groups do not talk to each other: where the elements of a
// tile go has been counted before. Before the include, define what primitives/radix_tile.glsl says.
#include "primitives/radix_tile.glsl"

readonly buffer Offsets { uint words[]; } offsets; // digit by digit, of each tile: equal digits
                                                   // in the tiles before
readonly buffer Totals { uint words[]; } totals;   // of each digit

void main() {
    uint tile = group_index();
    uint count = element_count();
    if (tile >= tiles_of(count, kTile)) return;
    uint first = tile * kTile;
    uint elements = min(count - first, kTile);

    load_keys(first, elements);
    rank_rows();
    uint start = place_elements(tile_count());
    exchange_keys();
#if VALUE_WORDS > 0
    load_values(first, elements);
#endif
    uint digit = own_index();
    uint base = sum_before(digit < kBins ? totals.words[digit] : 0u);
    if (digit < kBins) {
        uint row = digit * tiles_of(params.most, kTile);
        destination[digit] = base + offsets.words[row + tile] - start;
    }
    barrier();
    store_keys(elements);
#if VALUE_WORDS > 0
    store_values(elements);
#endif
}

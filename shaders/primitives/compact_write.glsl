// Writes what a tile keeps in order, and if need be what it rejects. Kernels that can do that
// define KEEPS_REJECTED as 1, the others as 0. What has no order, and so no last tile that knows the
// counts, defines UNORDERED.
#include "compact_body.glsl"

writeonly buffer Result { uint words[]; } result;
#ifndef UNORDERED
writeonly buffer Kept { uint number; } kept_count;
#endif
#if KEEPS_REJECTED
writeonly buffer Rejected { uint words[]; } rejected;
writeonly buffer Others { uint number; } rejected_count;
#endif

layout(constant_id = 9) const uint emits_indices = 0u; // in place of the elements
#if KEEPS_REJECTED
layout(constant_id = 10) const uint keeps_rejected = 0u; // they are written as well
#endif

// Of a tile that has been read; `prefix`: kept before it.
void write_tile(uint tile, uint end, TileCount kept, uint prefix) {
    uint first = prefix + kept.before;
    [[unroll]] for (uint row = 0u; row < kItems; ++row) {
        uint at = element_of(tile, row);
        bool keeps = (kept_rows >> row & 1u) != 0u;
        uint kept_before = first + place_of(row);
        uint word = emits_indices != 0u ? at : words[row];
        if (keeps) result.words[kept_before] = word;
#if KEEPS_REJECTED
        if (keeps_rejected != 0u && !keeps && at < end) rejected.words[at - kept_before] = word;
#endif
    }
}

#ifndef UNORDERED
// How many are kept and rejected in all, which the last tile knows.
void write_counts(uint end, TileCount kept, uint prefix) {
    kept_count.number = prefix + kept.total;
#if KEEPS_REJECTED
    if (keeps_rejected != 0u) rejected_count.number = end - (prefix + kept.total);
#endif
}
#endif

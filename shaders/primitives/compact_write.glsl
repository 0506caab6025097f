// Writes what a tile keeps in order, and if need be what it rejects. Before the include, define
// KEEPS_REJECTED (0, 1), declare the buffer `result` of words and the number `kept_count`, with
// KEEPS_REJECTED also `rejected` and `rejected_count`, and include primitives/compact_body.glsl.

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

// How many are kept and rejected in all, which the last tile knows.
void write_counts(uint end, TileCount kept, uint prefix) {
    kept_count.number = prefix + kept.total;
#if KEEPS_REJECTED
    if (keeps_rejected != 0u) rejected_count.number = end - (prefix + kept.total);
#endif
}

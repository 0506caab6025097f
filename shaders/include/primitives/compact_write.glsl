// Writes what a tile keeps (and what it rejects) in order. Before the include, declare the buffers
// `result` and `rejected` of words, and the numbers `kept_count` and `rejected_count`, and include
// primitives/compact_body.glsl.

layout(constant_id = 9) const uint emits_indices = 0u;   // in place of the elements
layout(constant_id = 10) const uint keeps_rejected = 0u; // they are written as well

// Of a tile that has been read; `prefix`: kept before it.
void write_tile(uint tile, uint end, TileCount kept, uint prefix) {
    uint first = prefix + kept.before;
    [[unroll]] for (uint row = 0u; row < kItems; ++row) {
        uint at = element_of(tile, row);
        bool keeps = (kept_rows >> row & 1u) != 0u;
        uint kept_before = first + place_of(row);
        uint word = emits_indices != 0u ? at : words[row];
        if (keeps) result.words[kept_before] = word;
        if (keeps_rejected != 0u && !keeps && at < end) rejected.words[at - kept_before] = word;
    }
}

// How many are kept and rejected in all, which the last tile knows.
void write_counts(uint end, TileCount kept, uint prefix) {
    kept_count.number = prefix + kept.total;
    if (keeps_rejected != 0u) rejected_count.number = end - (prefix + kept.total);
}

// Writes what a tile keeps (and what it rejects) in order: gathered in shared memory first, so that
// neighbours in memory are written together. Include primitives/compact_body.glsl before, and
// declare the buffers `result` and `rejected` of words.

shared uint staged[kTile]; // what is kept, then what is rejected

// After scan_tile, which found that `total` are kept. All invocations must call it, and a barrier
// must follow.
void stage_tile(uint tile, uint end, uint total) {
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint first = 4u * quad_of(row); // in the tile
        uint kept = row_before[row];
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            uint index = tile * kTile + first + i;
            uint word = emits_indices != 0u ? index : row_quads[row][i];
            if ((row_masks[row] >> i & 1u) != 0u) {
                staged[kept] = word;
                ++kept;
            } else if (keeps_rejected != 0u && index < end) {
                staged[total + first + i - kept] = word;
            }
        }
    }
}

// `prefix`: kept before this tile.
void store_staged(uint tile, uint end, uint kept, uint prefix) {
    for (uint i = gl_LocalInvocationIndex; i < kept; i += kGroup)
        result.words[prefix + i] = staged[i];
    if (keeps_rejected == 0u) return;
    uint elements = min(end - tile * kTile, kTile);
    for (uint i = kept + gl_LocalInvocationIndex; i < elements; i += kGroup)
        rejected.words[tile * kTile - prefix + i - kept] = staged[i];
}

// Writes what a tile keeps (and what it rejects) in order. Include primitives/compact_body.glsl
// before, and declare the buffers `result` and `rejected` of words.

const uint kRowsAtOnce = 4u; // of a subgroup, under way together

// Part by part: what is kept, and from the end backwards what is rejected.
shared uint staged[kTile];

// Reads the tile into `staged`, and returns how many elements this subgroup's part keeps.
uint stage_part(uint tile, uint end) {
    uint first = tile * kTile + part_first();
    uint part_end = part_first() + part_elements() - 1u; // where the first rejected one goes
    uvec4 quads[kQuads];
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = first / 4u + row * gl_SubgroupSize + gl_SubgroupInvocationID;
        quads[row] = source.quads[quad_within(quad, end)];
    }
    uint kept = 0u; // of the rows before
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint place = 4u * (row * gl_SubgroupSize + gl_SubgroupInvocationID); // in the part
        uint mask = keep_mask((first + place) / 4u, quads[row], end);
        uint to = part_first() + kept;
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            uvec4 votes = subgroupBallot((mask >> i & 1u) != 0u);
            to += subgroupBallotExclusiveBitCount(votes);
            kept += subgroupBallotBitCount(votes);
        }
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            uint word = emits_indices != 0u ? first + place + i : quads[row][i];
            bool keeps = (mask >> i & 1u) != 0u;
            if (keeps) staged[to] = word;
            else if (keeps_rejected != 0u && first + place + i < end)
                staged[part_end - (place + i - (to - part_first()))] = word;
            to += keeps ? 1u : 0u;
        }
    }
    return kept;
}

// Writes what has been staged, after a barrier; `prefix`: kept before this tile. Subgroups write
// whole rows of memory where they can: they begin before the first word of their own.
void store_part(uint tile, uint end, TileCount kept, uint prefix) {
    uint to = prefix + kept.before;
    uint skipped = to % gl_SubgroupSize;
    for (uint row = 0u; row < skipped + kept.part; row += kRowsAtOnce * gl_SubgroupSize) {
        [[unroll]] for (uint j = 0u; j < kRowsAtOnce; ++j) {
            uint i = row + j * gl_SubgroupSize + gl_SubgroupInvocationID;
            if (i >= skipped && i < skipped + kept.part)
                result.words[to - skipped + i] = staged[part_first() + i - skipped];
        }
    }
    if (keeps_rejected == 0u) return;
    uint first = tile * kTile + part_first();
    uint elements = min(max(end, first) - first, part_elements());
    uint part_end = part_first() + part_elements() - 1u;
    for (uint i = gl_SubgroupInvocationID; i < elements - kept.part; i += gl_SubgroupSize)
        rejected.words[first - to + i] = staged[part_end - i];
}

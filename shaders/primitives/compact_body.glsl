// What the kernels of compactions share: finding what a tile keeps, and writing it in order. Each
// subgroup takes a contiguous part of the tile, and reads it in rows of one element for each
// invocation. What a row keeps lies together in the result, so it is written straight from
// registers: shared memory would bring whole rows together, but has room for few groups at once.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "elements.glsl"

// Sums of words, for primitives/tile_scan.glsl and primitives/look_back.glsl, where what is scanned
// are counts and not the elements.
#extension GL_KHR_shader_subgroup_arithmetic : require

uint identity() {
    return 0u;
}

uint combine(uint a, uint b) {
    return a + b;
}

uint subgroup_combine(uint word) {
    return subgroupAdd(word);
}

uint subgroup_exclusive(uint word) {
    return subgroupExclusiveAdd(word);
}

#include "tile.glsl"
#include "keep.glsl"

shared uint subgroup_totals[kMaxSubgroups];

uint words[kItems];               // of this invocation, row by row
uint kept_rows;                   // bit i: that of row i is kept
uint places[(kItems + 1u) / 2u]; // elements of the part that are kept before it, two in a word

// The index of this invocation's element of a row.
uint element_of(uint tile, uint row) {
    return tile * kTile + (gl_SubgroupID * kItems + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}
uint place_of(uint row) {
    return row % 2u == 0u ? places[row / 2u] & 0xffffu : places[row / 2u] >> 16;
}

struct TileCount {
    uint before; // kept by the subgroups before this one
    uint total;  // by all of the group
};

// Reads a tile and finds what it keeps. All invocations must call it. (All ballots come before all
// branches: behind a branch an invocation may go on without the others of its subgroup.)
TileCount read_tile(uint tile, uint end, vec4 p) {
    if (end - min(tile * kTile, end) >= kTile) {
        [[unroll]] for (uint row = 0u; row < kItems; ++row)
            words[row] = source.words[element_of(tile, row)];
    } else {
        [[unroll]] for (uint row = 0u; row < kItems; ++row)
            words[row] = source.words[word_within(element_of(tile, row), end)];
    }
    kept_rows = 0u;
    uint part = 0u;
    [[unroll]] for (uint row = 0u; row < kItems; ++row) {
        bool kept = keeps(element_of(tile, row), words[row], end, p);
        kept_rows |= kept ? 1u << row : 0u;
        uvec4 votes = subgroupBallot(kept);
        uint place = part + subgroupBallotExclusiveBitCount(votes);
        places[row / 2u] = row % 2u == 0u ? place : places[row / 2u] | place << 16;
        part += subgroupBallotBitCount(votes);
    }
    if (subgroupElect()) subgroup_totals[gl_SubgroupID] = part;
    barrier();
    TileCount kept = TileCount(0u, 0u);
    for (uint i = 0u; i < gl_NumSubgroups; ++i) {
        if (i == gl_SubgroupID) kept.before = kept.total;
        kept.total += subgroup_totals[i];
    }
    return kept;
}

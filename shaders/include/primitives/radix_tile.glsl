// A tile of a radix sort in one group: the elements are read, ranked by a digit, exchanged in
// shared memory so that equal digits lie together, and written in runs. Before the include, define
// KEY_WORDS (1, 2) and VALUE_WORDS (0, 1, 2).
//
// Elements of a tile are ranked row by row. A row is what as many neighbouring invocations hold as
// can tell at once which of them have equal digits: a subgroup by ballots, or where its size is not
// known beforehand, 32 invocations by masks in shared memory. (Masks for subgroups were tried: on
// an NVIDIA H200 they take half as long again.)
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "primitives/radix_shape.glsl"

layout(constant_id = 11) const uint subgroup_lanes = 0u; // 0: rank by masks in shared memory
layout(constant_id = 12) const uint scratch_words = 4096u;

const uint kMaskLanes = 32u;
const uint kLanes = subgroup_lanes != 0u ? subgroup_lanes : kMaskLanes;
const uint kRows = kGroupSize / kLanes;
const uint kCounts = kRows * kBins; // the masks begin there in `scratch`
// Several invocations sum up the counts of a digit, each some rows.
const uint kParts = kGroupSize / kBins < kRows ? kGroupSize / kBins : kRows;
const uint kRowsOfPart = kRows / kParts;

#if VALUE_WORDS == 1
#define Value uint
#elif VALUE_WORDS == 2
#define Value uvec2
#endif

readonly buffer Keys { Key words[]; } keys;
writeonly buffer SortedKeys { Key words[]; } sorted_keys;
#if VALUE_WORDS > 0
readonly buffer Values { Value words[]; } values;
writeonly buffer SortedValues { Value words[]; } sorted_values;
#endif

// While ranks are made: row by row the counts of digits, then the masks. Afterwards the tile.
shared uint scratch[scratch_words];
shared uint part_sums[kGroupSize]; // part by part, of each digit
shared uint destination[kMaxBins]; // by digit: where the tile's element 0 would go, modulo 2^32

Key key[kItems];
Key fetched[kItems]; // of the next tile
uint place[kItems];  // in the sorted tile
uint target[kItems]; // in the result, of the element that is written as the i-th
#if VALUE_WORDS > 0
Value value[kItems];
#endif

uint row_index() {
    return own_index() / kLanes;
}
uint lane_index() {
    return own_index() % kLanes;
}
// The i-th element of this invocation, in the tile.
uint element_of(uint i) {
    return (row_index() * kItems + i) * kLanes + lane_index();
}

// Elements beyond the last one become the last key: they end up behind all others of the tile.
void fetch_keys(uint first, uint elements) {
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {
        uint at = element_of(i);
        fetched[i] = at < elements ? sort_key(keys.words[first + at]) : last_key();
    }
}
void take_keys() {
    [[unroll]] for (uint i = 0u; i < kItems; ++i) key[i] = fetched[i];
}

// Bit n: lane n has the same digit. Of all lanes, by one ballot a bit of the digit.
uvec2 lanes_with(uint digit) {
    uvec2 same = subgroupBallot(true).xy;
    [[unroll]] for (uint bit = 0u; bit < digit_bits; ++bit) {
        bool set = (digit & 1u << bit) != 0u;
        uvec4 votes = subgroupBallot(set);
        uint others = set ? 0u : ~0u;
        same.x &= votes.x ^ others;
        if (kLanes > 32u) same.y &= votes.y ^ others;
    }
    return same;
}

// Elements of the same row and digit that come before, and counts them in: the first of them does
// so for all, when all have read. `same` is `lanes_with` the digit, `cell` is the row's and the
// digit's.
uint rank_by_ballots(uint cell, uvec2 same) {
    uint before = bitCount(same.x & gl_SubgroupLtMask.x);
    uint all = bitCount(same.x);
    if (kLanes > 32u) {
        before += bitCount(same.y & gl_SubgroupLtMask.y);
        all += bitCount(same.y);
    }
    uint counted = scratch[cell];
    subgroupBarrier();
    if (before == 0u) scratch[cell] = counted + all;
    subgroupBarrier();
    return counted + before;
}

uint rank_by_masks(uint cell) {
    uint lane = lane_index();
    atomicOr(scratch[kCounts + cell], 1u << lane);
    barrier();
    uint same = scratch[kCounts + cell];
    uint counted = scratch[cell];
    uint before = bitCount(same & ((1u << lane) - 1u));
    barrier();
    if (before == 0u) {
        scratch[cell] = counted + bitCount(same);
        scratch[kCounts + cell] = 0u;
    }
    barrier();
    return counted + before;
}

// Makes `place[i]` the rank of element i among those of its row and digit, and leaves the counts in
// `scratch`.
void rank_rows() {
    uint cells = subgroup_lanes != 0u ? kCounts : 2u * kCounts;
    for (uint i = own_index(); i < cells; i += kGroupSize) scratch[i] = 0u;
    barrier();
    // The ballots of all rows do not depend on each other; the counts do.
    uint high[kItems];
    [[unroll]] for (uint i = 0u; i < kItems && subgroup_lanes != 0u; ++i) {
        uvec2 same = lanes_with(digit_of(key[i], params.shift, params.mask));
        place[i] = same.x;
        high[i] = same.y;
    }
    uint row = row_index() * kBins;
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {
        uint cell = row + digit_of(key[i], params.shift, params.mask);
        place[i] = subgroup_lanes != 0u ? rank_by_ballots(cell, uvec2(place[i], high[i]))
                                        : rank_by_masks(cell);
    }
    barrier();
}

// The digit and the rows that this invocation sums up.
uint own_digit() {
    return own_index() % kBins;
}
uint own_part() {
    return own_index() / kBins;
}
uint own_cell(uint row) {
    return (own_part() * kRowsOfPart + row) * kBins + own_digit();
}

// Elements of the tile with the digit `own_index()`, those beyond the end among them; 0 where there
// is no such digit.
uint tile_count() {
    uint sum = 0u;
    if (own_part() < kParts)
        [[unroll]] for (uint row = 0u; row < kRowsOfPart; ++row) sum += scratch[own_cell(row)];
    part_sums[own_index()] = sum;
    barrier();
    uint count = 0u;
    if (own_index() < kBins)
        [[unroll]] for (uint part = 0u; part < kParts; ++part)
            count += part_sums[part * kBins + own_index()];
    return count;
}

// Makes `place[i]` the place of element i in the sorted tile; `count` is `tile_count()`. Returns
// where the digit `own_index()` begins.
uint place_elements(uint count) {
    uint start = sum_before(count);
    if (own_index() < kBins) destination[own_index()] = start;
    barrier();
    if (own_part() < kParts) {
        uint next = destination[own_digit()];
        for (uint part = 0u; part < own_part(); ++part) next += part_sums[part * kBins + own_digit()];
        [[unroll]] for (uint row = 0u; row < kRowsOfPart; ++row) {
            uint in_row = scratch[own_cell(row)];
            scratch[own_cell(row)] = next;
            next += in_row;
        }
    }
    barrier();
    uint row = row_index() * kBins;
    [[unroll]] for (uint i = 0u; i < kItems; ++i)
        place[i] += scratch[row + digit_of(key[i], params.shift, params.mask)];
    barrier();
    return start;
}

// The i-th element that this invocation writes, in the sorted tile.
uint written(uint i) {
    return i * kGroupSize + own_index();
}

// Sorts the keys of the tile. Those of one word stay in `scratch` until they are written; of two,
// key[i] becomes that of `written(i)`.
void exchange_keys() {
#if KEY_WORDS == 1
    [[unroll]] for (uint i = 0u; i < kItems; ++i) scratch[place[i]] = key[i];
#else
    [[unroll]] for (uint word = 0u; word < 2u; ++word) {
        [[unroll]] for (uint i = 0u; i < kItems; ++i) scratch[place[i]] = key[i][word];
        barrier();
        [[unroll]] for (uint i = 0u; i < kItems; ++i) key[i][word] = scratch[written(i)];
        barrier();
    }
#endif
}

// Writes the keys, after `exchange_keys`, when all have set `destination`, and a barrier.
void store_keys(uint elements) {
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {
        uint at = written(i);
#if KEY_WORDS == 1
        key[i] = scratch[at];
#endif
        target[i] = destination[digit_of(key[i], params.shift, params.mask)] + at;
        if (at < elements) sorted_keys.words[target[i]] = from_sort_key(key[i]);
    }
}

#if VALUE_WORDS > 0
void load_values(uint first, uint elements) {
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {
        uint at = element_of(i);
        if (params.index_values != 0u)
            value[i] = Value(first + at);
        else if (at < elements)
            value[i] = values.words[first + at];
    }
}

// Writes the values to where the keys went.
void store_values(uint elements) {
    barrier(); // the tile in `scratch` has been read
#if VALUE_WORDS == 1
    [[unroll]] for (uint i = 0u; i < kItems; ++i) scratch[place[i]] = value[i];
    barrier();
    [[unroll]] for (uint i = 0u; i < kItems; ++i)
        if (written(i) < elements) sorted_values.words[target[i]] = scratch[written(i)];
#else
    [[unroll]] for (uint word = 0u; word < 2u; ++word) {
        [[unroll]] for (uint i = 0u; i < kItems; ++i) scratch[place[i]] = value[i][word];
        barrier();
        [[unroll]] for (uint i = 0u; i < kItems; ++i) value[i][word] = scratch[written(i)];
        barrier();
    }
    [[unroll]] for (uint i = 0u; i < kItems; ++i)
        if (written(i) < elements) sorted_values.words[target[i]] = value[i];
#endif
}
#endif

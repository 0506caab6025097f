// A tile of a radix sort in one group: the elements are read, ranked by a digit, exchanged in
// shared memory so that equal digits lie together, and written in runs. Before the include, define
// KEY_WORDS (1, 2) and VALUE_WORDS (0, 1, 2).
//
// Elements of a tile are ranked row by row. A row is what as many neighbouring invocations hold as
// can tell at once which of them have equal digits: a subgroup by ballots, or where its size is not
// known beforehand, 32 invocations by masks in shared memory. (Masks for subgroups were tried: on
// an NVIDIA H200 they take half as long again.) Digits are counted before they are ranked: so other
// tiles know this one's counts early, and counters give places at once.
//
// The tile goes through shared memory in turns, one part of the sorted tile after the other: a
// multiprocessor has shared memory for few groups (52 KiB of it on an H200), and elements wait in
// registers for less.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "radix_shape.glsl"

layout(constant_id = 11) const uint subgroup_lanes = 0u; // 0: rank by masks in shared memory
layout(constant_id = 12) const uint scratch_words = 4096u;
layout(constant_id = 19) const uint turns = 1u; // a divisor of kItems

const uint kMaskLanes = 32u;
const uint kLanes = subgroup_lanes != 0u ? subgroup_lanes : kMaskLanes;
const uint kRows = kGroupSize / kLanes;
const uint kRowsAtOnce = 4u;         // that are added up; a divisor of kRows
const uint kCounts = kRows * kBins;  // the masks begin there in `scratch`
const uint kPart = kTile / turns;    // elements of a turn
const uint kOwn = kItems / turns;    // that an invocation writes in a turn

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

// While ranks are made: row by row a counter for each digit, then the masks. Afterwards a part of
// the tile.
shared uint scratch[scratch_words];
shared uint destination[kMaxBins]; // by digit: where the tile's element 0 would go, modulo 2^32

Key key[kItems];
Key fetched[kItems];            // of the next tile
uint places[(kItems + 1u) / 2u]; // in the sorted tile, two in a word
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
uint cell_of(uint i) {
    return row_index() * kBins + digit_of(key[i], params.shift, params.mask);
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

// Counts the digits of each row, and returns how many elements of the tile have the digit
// `own_index()`, those beyond the end among them; 0 where there is no such digit.
uint count_digits() {
    uint cells = subgroup_lanes != 0u ? kCounts : 2u * kCounts;
    for (uint i = own_index(); i < cells; i += kGroupSize) scratch[i] = 0u;
    barrier();
    [[unroll]] for (uint i = 0u; i < kItems; ++i) atomicAdd(scratch[cell_of(i)], 1u);
    barrier();
    uint count = 0u;
    if (own_index() < kBins)
        [[dont_unroll]] for (uint row = 0u; row < kRows; row += kRowsAtOnce)
            [[unroll]] for (uint i = 0u; i < kRowsAtOnce; ++i)
                count += scratch[(row + i) * kBins + own_index()];
    return count;
}

// Makes of the counters the places where elements of a row and digit begin in the sorted tile;
// `count` is what `count_digits` returned. Returns where the digit `own_index()` begins.
uint begin_digits(uint count) {
    uint start = exclusive_scan(count);
    uint next = start;
    if (own_index() < kBins)
        [[dont_unroll]] for (uint row = 0u; row < kRows; row += kRowsAtOnce) {
            uint in_row[kRowsAtOnce];
            [[unroll]] for (uint i = 0u; i < kRowsAtOnce; ++i)
                in_row[i] = scratch[(row + i) * kBins + own_index()];
            [[unroll]] for (uint i = 0u; i < kRowsAtOnce; ++i) {
                scratch[(row + i) * kBins + own_index()] = next;
                next += in_row[i];
            }
        }
    barrier();
    return start;
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

// The place of an element of this row and digit, after those of the lanes before. The first of them
// moves the counter on for all, when all have read it.
uint place_by_ballots(uint cell, uint digit) {
    uvec2 same = lanes_with(digit);
    uint before = bitCount(same.x & gl_SubgroupLtMask.x);
    uint all = bitCount(same.x);
    if (kLanes > 32u) {
        before += bitCount(same.y & gl_SubgroupLtMask.y);
        all += bitCount(same.y);
    }
    uint next = scratch[cell];
    subgroupBarrier();
    if (before == 0u) scratch[cell] = next + all;
    subgroupBarrier();
    return next + before;
}

uint place_by_masks(uint cell) {
    uint lane = lane_index();
    atomicOr(scratch[kCounts + cell], 1u << lane);
    barrier();
    uint same = scratch[kCounts + cell];
    uint next = scratch[cell];
    uint before = bitCount(same & ((1u << lane) - 1u));
    barrier();
    if (before == 0u) {
        scratch[cell] = next + bitCount(same);
        scratch[kCounts + cell] = 0u;
    }
    barrier();
    return next + before;
}

// Finds the place of each element in the sorted tile, after `begin_digits`.
void place_elements() {
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {
        uint cell = cell_of(i);
        uint place = subgroup_lanes != 0u ? place_by_ballots(cell, cell % kBins)
                                          : place_by_masks(cell);
        places[i / 2u] = i % 2u == 0u ? place : places[i / 2u] | place << 16;
    }
    barrier();
}
uint place_of(uint i) {
    return i % 2u == 0u ? places[i / 2u] & 0xffffu : places[i / 2u] >> 16;
}

#if VALUE_WORDS > 0
void load_values(uint first, uint elements) {
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {
        uint at = element_of(i);
        if (params.has_values == 0u)
            value[i] = Value(first + at);
        else if (at < elements)
            value[i] = values.words[first + at];
    }
}
#endif

// The i-th element that this invocation writes in a turn, in the part.
uint written(uint i) {
    return i * kGroupSize + own_index();
}

// Leaves word i of the part that begins at `first` of the sorted tile in scratch[i]; `WORD(i)` is
// that of element i. All have read the last part when all come here.
#define STAGE(WORD)                                                                                 \
    [[unroll]] for (uint i = 0u; i < kItems; ++i) {                                                 \
        uint to = place_of(i) - first;                                                              \
        if (to < kPart) scratch[to] = WORD(i);                                                      \
    }                                                                                               \
    barrier();

#define KEY_X(i) key[i].x
#define KEY_Y(i) key[i].y
#define VALUE_X(i) value[i].x
#define VALUE_Y(i) value[i].y

// Writes the keys, and the values, in the order of their digits, when all have set `destination`.
void store_elements(uint elements) {
    [[unroll]] for (uint turn = 0u; turn < turns; ++turn) {
        uint first = turn * kPart;
        if (turn > 0u) barrier();
        STAGE(KEY_X)
#if KEY_WORDS == 2
        uint low[kOwn];
        [[unroll]] for (uint i = 0u; i < kOwn; ++i) low[i] = scratch[written(i)];
        barrier();
        STAGE(KEY_Y)
#endif
        uint target[kOwn];
        [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
            uint at = written(i);
#if KEY_WORDS == 1
            Key own = scratch[at];
#else
            Key own = Key(low[i], scratch[at]);
#endif
            target[i] = destination[digit_of(own, params.shift, params.mask)] + first + at;
            if (first + at < elements) sorted_keys.words[target[i]] = from_sort_key(own);
        }
#if VALUE_WORDS > 0
        barrier();
        STAGE(VALUE_X)
#if VALUE_WORDS == 2
        uint even[kOwn];
        [[unroll]] for (uint i = 0u; i < kOwn; ++i) even[i] = scratch[written(i)];
        barrier();
        STAGE(VALUE_Y)
#endif
        [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
            uint at = written(i);
#if VALUE_WORDS == 1
            Value own = scratch[at];
#else
            Value own = Value(even[i], scratch[at]);
#endif
            if (first + at < elements) sorted_values.words[target[i]] = own;
        }
#endif
    }
}

// Reads codes of a baseline JPEG stream. Numbers as in passes/jpeg/decode_stream.hpp.
#ifndef JPEG_DECODE_STREAM
#define JPEG_DECODE_STREAM

const uint kSubsequenceBits = 1024u;
const uint kShortTable = 1024u;
const uint kMaxBlocksOfMcu = 10u;

struct Segment {
    uint first_bit;
    uint end_bit;
    uint first_subsequence;
    uint subsequences;
    uint first_mcu;
    uint blocks;
};

readonly buffer Stream { uint words[]; } stream;
readonly buffer Tables { uint words[]; } tables;
readonly buffer Segments { Segment items[]; } segments;
readonly buffer SegmentOf { uint words[]; } segment_of;
// For each block of an MCU: where its DC and its AC table begin; where differences of its component
// begin, and how many an MCU has; its number among them.
struct Place {
    uint dc_table;
    uint ac_table;
    uint first_difference;
    uint of_mcu;
    uint number;
};
readonly buffer Places { uint blocks; Place items[]; } places;

// Where a decoder stands: the next bit, the block in the MCU, and the next coefficient's number.
struct State {
    uint bit;
    uint block;
    uint k;
};

uvec2 packed_state(State state) {
    return uvec2(state.bit, state.block | state.k << 8);
}
State unpacked_state(uvec2 words) {
    return State(words.x, min(words.y & 255u, places.blocks - 1u), min(words.y >> 8, 63u));
}

// A code and what follows it.
struct Code {
    uint bits;   // both together, at least 1
    uint symbol;
    int value;
};

uint next_bits(uint bit) {
    uint last = uint(stream.words.length()) - 1u;
    uint high = stream.words[min(bit >> 5, last)];
    uint low = stream.words[min((bit >> 5) + 1u, last)];
    uint gone = bit & 31u;
    return gone == 0u ? high : high << gone | low >> (32u - gone);
}

// Length << 8 | symbol. Bits that are no code count as 16 bits of symbol 0.
uint long_code(uint bits, uint table) {
    uint found = 16u << 8;
    for (uint length = 16u; length > 10u; --length) {
        if (bits >> 16 < tables.words[table + kShortTable + length - 1u])
            found = length << 8 |
                    tables.words[table + kShortTable + 32u +
                                 ((bits >> (32u - length)) +
                                  tables.words[table + kShortTable + 16u + length - 1u] & 255u)];
    }
    return found;
}

Code read_code(uint bit, uint table) {
    uint bits = next_bits(bit);
    uint entry = tables.words[table + (bits >> 22)];
    if (entry == 0u) entry = long_code(bits, table);
    uint length = entry >> 8;
    uint symbol = entry & 255u;
    uint size = symbol & 15u;
    int value = 0;
    if (size > 0u) {
        value = int(bits << length >> (32u - size));
        if (value < 1 << (size - 1u)) value -= (1 << size) - 1;
    }
    return Code(length + size, symbol, value);
}

Code next_code(State state) {
    Place place = places.items[state.block];
    return read_code(state.bit, state.k == 0u ? place.dc_table : place.ac_table);
}

// The number of the coefficient that the code gives, 64 or more: none.
uint coefficient_of(State state, Code code) {
    if (state.k == 0u) return 0u;
    return (code.symbol & 15u) == 0u ? 64u : state.k + (code.symbol >> 4);
}

// `k` is 64 where the block is at its end.
State behind(State state, Code code) {
    uint k = state.k + 1u;
    if (state.k > 0u) {
        if (code.symbol == 0xf0u) k = state.k + 16u;
        else if ((code.symbol & 15u) == 0u) k = 64u;
        else k += code.symbol >> 4;
    }
    return State(state.bit + code.bits, state.block, min(k, 64u));
}

State next_block(State state) {
    uint block = state.block + 1u;
    return State(state.bit, block == places.blocks ? 0u : block, 0u);
}

State first_state(Segment segment) {
    return State(segment.first_bit, 0u, 0u);
}
uint first_bit_of(Segment segment, uint subsequence) {
    return segment.first_bit + (subsequence - segment.first_subsequence) * kSubsequenceBits;
}
uint end_bit_of(Segment segment, uint subsequence) {
    return min(first_bit_of(segment, subsequence) + kSubsequenceBits, segment.end_bit);
}

#endif

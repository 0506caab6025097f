// Reads codes of a baseline JPEG stream. Numbers as in passes/jpeg/decode_stream.hpp.
#ifndef JPEG_DECODE_STREAM
#define JPEG_DECODE_STREAM
#include "decode_tables.glsl"

layout(constant_id = 0) const uint subsequence_bits = 256u;

uniform Params {
    uint subsequences;
    uint blocks; // of an MCU
    uint pairs;  // of tables, two bits a block of an MCU, the first lowest
} params;

struct Segment {
    uint first_bit;
    uint end_bit;
    uint first_subsequence;
    uint subsequences;
    uint first_mcu;
    uint blocks;
};

readonly buffer Stream { uint words[]; } stream;
readonly buffer Segments { Segment items[]; } segments;
readonly buffer SegmentOf { uint words[]; } segment_of;

// Where a decoder stands: the next bit, the block in the MCU, the next coefficient's number, and the
// table of the next code, which follows from both.
struct State {
    uint bit;
    uint block;
    uint k;
    uint table;
};

uint dc_table(uint block) {
    return (params.pairs >> (2u * block) & 3u) * (2u * kTableWords);
}
uint ac_table(uint block) {
    return dc_table(block) + kTableWords;
}
State state_at(uint bit, uint block, uint k) {
    return State(bit, block, k, k == 0u ? dc_table(block) : ac_table(block));
}

uvec2 packed_state(State state) {
    return uvec2(state.bit, state.block | state.k << 8);
}
State unpacked_state(uvec2 words) {
    return state_at(words.x, min(words.y & 255u, params.blocks - 1u), min(words.y >> 8, 63u));
}

// The stream's words around a place. One is loaded before it is needed.
struct Window {
    uint word; // the number of `high`
    uint high;
    uint low;
    uint ahead;
};

uint stream_word(uint word) {
    return stream.words[min(word, uint(stream.words.length()) - 1u)];
}
Window window_at(uint bit) {
    uint word = bit >> 5;
    return Window(word, stream_word(word), stream_word(word + 1u), stream_word(word + 2u));
}
// `bit`: at most 32 bits on.
Window moved(Window window, uint bit) {
    if (bit >> 5 == window.word) return window;
    return Window(window.word + 1u, window.low, window.ahead, stream_word(window.word + 3u));
}
uint bits_at(Window window, uint bit) {
    uint gone = bit & 31u;
    return window.high << gone | window.low >> 1 >> (31u - gone);
}

uint next_entry(Window window, State state) {
    return entry_of(bits_at(window, state.bit), state.table);
}
uint bits_of(uint entry) { // of the code and what follows it: 1 to 31
    return entry & 31u;
}
uint size_of(uint entry) { // bits that follow the code
    return entry >> 5 & 15u;
}
uint advance_of(uint entry) { // 64 where the block is at its end
    return entry >> 9;
}

// Behind the code: in the next block where the block is at its end. What does not depend on the code
// stands first: the code is waited for.
State behind(State state, uint entry) {
    uint next_block = state.block + 1u;
    if (next_block == params.blocks) next_block = 0u;
    uint next_table = dc_table(next_block);
    uint same_table = ac_table(state.block);
    uint k = state.k + advance_of(entry);
    uint bit = state.bit + bits_of(entry);
    bool ended = k >= 64u;
    return State(bit, ended ? next_block : state.block, ended ? 0u : k,
                 ended ? next_table : same_table);
}

State first_state(Segment segment) {
    return state_at(segment.first_bit, 0u, 0u);
}
uint first_bit_of(Segment segment, uint subsequence) {
    return segment.first_bit + (subsequence - segment.first_subsequence) * subsequence_bits;
}
uint end_bit_of(Segment segment, uint subsequence) {
    return min(first_bit_of(segment, subsequence) + subsequence_bits, segment.end_bit);
}

#endif

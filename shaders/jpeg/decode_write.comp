#version 460
// Decodes each subsequence from where the one before ended, and writes its coefficients.

layout(local_size_x = 128) in;

#include "invocation.glsl"
#include "decode_stream.glsl"

// For each block of an MCU: where differences of its component begin, and how many an MCU has; its
// number among them.
struct Place {
    uint first_difference;
    uint of_mcu;
    uint number;
};
readonly buffer Places { Place items[]; } places;
readonly buffer States { uvec4 states[]; } states;
readonly buffer Offsets { uint words[]; } offsets; // blocks completed before, of all segments
readonly buffer Order { uint places[64]; } order;
buffer Coefficients { int values[]; } coefficients; // of blocks in the order of the file, by place
buffer Differences { int values[]; } differences;    // DC, component after component

// What follows the code at the head of the bits.
int value_of(uint bits, uint entry) {
    uint size = size_of(entry);
    if (size == 0u) return 0;
    int value = int(bits << (bits_of(entry) - size) >> (32u - size));
    return value < 1 << (size - 1u) ? value - (1 << size) + 1 : value;
}

void put_difference(uint mcu, uint block, int value) {
    Place place = places.items[block];
    differences.values[place.first_difference + mcu * place.of_mcu + place.number] = value;
}

void main() {
    load_tables();
    uint subsequence = invocation_index();
    if (subsequence >= params.subsequences) return;
    Segment segment = segments.items[segment_of.words[subsequence]];
    State state = unpacked_state(states.states[subsequence].xy);
    uint end_bit = end_bit_of(segment, subsequence);
    uint before = offsets.words[subsequence] - offsets.words[segment.first_subsequence];
    uint mcu = segment.first_mcu + before / params.blocks;
    uint block = segment.first_mcu * params.blocks + before; // of all
    uint last = segment.first_mcu * params.blocks + segment.blocks;
    Window window = window_at(state.bit);
    for (uint i = 0u; i < subsequence_bits; ++i) {
        if (state.bit >= end_bit || block >= last) break;
        uint entry = next_entry(window, state);
        int value = value_of(bits_at(window, state.bit), entry);
        uint k = state.k + advance_of(entry) - 1u;
        if (state.k == 0u) put_difference(mcu, state.block, value);
        else if (size_of(entry) > 0u) // beyond the end of a damaged block it is the last, as in the library
            coefficients.values[block * 64u + order.places[min(k, 63u)]] = value;
        state = behind(state, entry);
        window = moved(window, state.bit);
        if (state.k == 0u) {
            ++block;
            if (state.block == 0u) ++mcu;
        }
    }
}

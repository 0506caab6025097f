#version 460
// Decodes each subsequence from where the one before ended, and writes its coefficients.

layout(local_size_x = 64) in;

uniform Params {
    uint subsequences;
} params;
#include "invocation.glsl"
#include "decode_stream.glsl"

readonly buffer States { uvec4 states[]; } states;
readonly buffer Offsets { uint words[]; } offsets; // blocks completed before, of all segments
readonly buffer Order { uint places[64]; } order;
buffer Coefficients { int values[]; } coefficients; // of blocks in the order of the file, by place
buffer Differences { int values[]; } differences;    // DC, component after component

void main() {
    uint subsequence = invocation_index();
    if (subsequence >= params.subsequences) return;
    Segment segment = segments.items[segment_of.words[subsequence]];
    State state = unpacked_state(states.states[subsequence].xy);
    uint end_bit = end_bit_of(segment, subsequence);
    uint block = offsets.words[subsequence] - offsets.words[segment.first_subsequence];
    for (uint i = 0u; i < kSubsequenceBits; ++i) {
        if (state.bit >= end_bit || block >= segment.blocks) break;
        Code code = next_code(state);
        uint k = coefficient_of(state, code);
        uint of_all = segment.first_mcu * places.blocks + block;
        if (k == 0u) {
            Place place = places.items[state.block];
            uint mcu = segment.first_mcu + block / places.blocks;
            differences.values[place.first_difference + mcu * place.of_mcu + place.number] =
                code.value;
        } else if (k < 64u) {
            coefficients.values[of_all * 64u + order.places[k]] = code.value;
        }
        state = behind(state, code);
        if (state.k == 64u) {
            state = next_block(state);
            ++block;
        }
    }
}

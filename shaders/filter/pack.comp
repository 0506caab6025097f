#version 460
// Numbers from 0 to 1 as 8 bits each, four neighbours to a word; the last word ends in zeros.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Result { uint words[]; } result;

uniform Params {
    uint count; // numbers
    uint words;
} params;

float number_at(uint index) {
    return index < params.count ? source.values[index] : 0.0;
}

void main() {
    uint word = invocation_index();
    if (word >= params.words) return;
    uint first = 4u * word;
    result.words[word] = packUnorm4x8(vec4(number_at(first), number_at(first + 1u),
                                           number_at(first + 2u), number_at(first + 3u)));
}

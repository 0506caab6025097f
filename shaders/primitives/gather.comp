#version 460
// Fetches records by index. Neighbouring invocations write neighbouring words.

layout(local_size_x = 256) in;
layout(constant_id = 8) const uint record_words = 1u;

const uint kItems = 4u; // records of an invocation
const uint kTile = kItems * gl_WorkGroupSize.x;

uniform Params {
    uint most;
    uint last_record; // of the source
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Source { uint words[]; } source;
readonly buffer Indices { uint words[]; } indices;
writeonly buffer Result { uint words[]; } result;

void main() {
    uint count = element_count(params.most);
    uint tile = group_index();
    if (tile >= tiles_of(count, kTile)) return;
    uint first = tile * kTile;
    uint last_word = min(count - first, kTile) * record_words;
    for (uint i = gl_LocalInvocationIndex; i < last_word; i += gl_WorkGroupSize.x) {
        uint record = first + i / record_words;
        uint from = min(indices.words[record], params.last_record);
        result.words[first * record_words + i] =
            source.words[from * record_words + i % record_words];
    }
}

#version 460
// Numbers by whose order each segment is sorted by itself: the segment in the high word, the sort
// key in the low one. Segment 0 is what lies before the first offset, the last number what lies
// behind the last offset; there all keys count as equal, so they stay as they are.
#define KEY_WORDS 1

layout(local_size_x = 256) in;

uniform Params {
    uint most;
    uint table_length; // the offsets are the table
} params;
#include "invocation.glsl"
#include "length.glsl"
#include "sort_key.glsl"
#include "table.glsl"

readonly buffer Keys { uint words[]; } keys;
readonly buffer Offsets { uint words[]; } offsets;
writeonly buffer Pairs { uvec2 at[]; } pairs; // low word, high word

void main() {
    uint index = invocation_index();
    if (index >= element_count(params.most)) return;
    uint size = table_size(params.table_length);
    uint segment = 0u; // offsets that are not beyond this key
    for (uint left = size; left > 0u;) {
        uint half_left = left / 2u;
        bool not_beyond = offsets.words[segment + half_left] <= index;
        if (not_beyond) segment += half_left + 1u;
        left = not_beyond ? left - half_left - 1u : half_left;
    }
    bool inside = segment > 0u && segment < size;
    pairs.at[index] = uvec2(inside ? sort_key(keys.words[index]) : 0u, segment);
}

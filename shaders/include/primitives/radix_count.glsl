// Counts the digits of each tile. Before the include, define KEY_WORDS.
#include "primitives/radix_shape.glsl"

readonly buffer Keys { Key words[]; } keys;
writeonly buffer Offsets { uint words[]; } offsets; // digit by digit, of each tile: how many

shared uint counts[kMaxBins];

void main() {
    uint tile = group_index();
    uint count = element_count();
    if (tile >= tiles_of(count, kTile)) return;
    uint digit = gl_LocalInvocationIndex;
    if (digit < kBins) counts[digit] = 0u;
    barrier();
    uint first = tile * kTile;
    uint elements = min(count - first, kTile);
    for (uint at = gl_LocalInvocationIndex; at < elements; at += kGroupSize)
        atomicAdd(counts[digit_of(sort_key(keys.words[first + at]), params.shift, params.mask)],
                  1u);
    barrier();
    if (digit < kBins) {
        uint row = digit * tiles_of(params.most, kTile);
        offsets.words[row + tile] = counts[digit];
    }
}

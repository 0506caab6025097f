// Chunks of a sort whose digits are counted beforehand: neighbouring tiles, which one group takes in
// turn. There are as many chunks as groups, `params.chunks`, whatever the number of elements.
#include "radix_shape.glsl"

// The first tile of a chunk, and the one after its last.
uvec2 tiles_of_chunk(uint chunk, uint count) {
    uint tiles = tiles_of(count, kTile);
    uint most = (tiles + params.chunks - 1u) / params.chunks;
    uint first = min(chunk * most, tiles);
    return uvec2(first, min(first + most, tiles));
}

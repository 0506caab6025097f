#include "voxel/grid.glsl"

buffer Words { uint values[]; } words;

// Sets the voxels `met.x` to `met.y` of the row that begins with the word `first`.
void set_interval(uint first, uvec2 met) {
    uint begin = met.x >> 5u;
    uint end = met.y >> 5u;
    for (uint word = begin; word <= end; ++word) {
        uint from = word == begin ? met.x & 31u : 0u;
        uint to = word == end ? met.y & 31u : 31u;
        atomicOr(words.values[first + word], bits_between(from, to));
    }
}

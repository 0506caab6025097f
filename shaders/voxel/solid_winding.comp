#version 460
// A voxel is inside where the mesh winds around it: the sum of the changes at it and above is not
// zero. An invocation sweeps the 32 columns of a word.

layout(local_size_x = 64) in;

uniform Params {
    uvec3 dims;
} params;

#include "invocation.glsl"
#include "voxel/grid.glsl"
#include "status.glsl"

readonly buffer Changes { int values[]; } changes; // slice 0 is below the grid
writeonly buffer Words { uint values[]; } words;

void main() {
    uint line = invocation_index();
    uint lines = params.dims.x * row_words(params.dims);
    if (line >= lines) return;
    int sums[32];
    for (int i = 0; i < 32; ++i) sums[i] = 0;
    for (uint slice = params.dims.y + 1u; slice > 0u; --slice) {
        uint first = 32u * ((slice - 1u) * lines + line);
        uint bits = 0u;
        for (int i = 0; i < 32; ++i) {
            sums[i] += changes.values[first + i];
            bits |= sums[i] != 0 ? 1u << i : 0u;
        }
        if (slice > 1u) words.values[(slice - 2u) * lines + line] = bits;
        else if (bits != 0u) atomicAdd(status.open_columns, uint(bitCount(bits)));
    }
}

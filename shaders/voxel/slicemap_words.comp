#version 460
// Words of a grid from the texels of a slice map.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uvec3 dims;
    uint first_word; // of a column, that the attachments hold
} params;

#include "voxel/grid.glsl"

uniform usampler2D slices_0;
uniform usampler2D slices_1;
uniform usampler2D slices_2;
uniform usampler2D slices_3;
buffer Words { uint values[]; } words;

void write_four(uint row, uint first, uvec4 four) {
    for (uint i = 0u; i < 4u; ++i)
        if (first + i < row_words(params.dims)) words.values[row + first + i] = four[i];
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, params.dims.xy))) return;
    uint row = row_of(params.dims, at.x, at.y);
    write_four(row, params.first_word, texelFetch(slices_0, ivec2(at), 0));
    write_four(row, params.first_word + 4u, texelFetch(slices_1, ivec2(at), 0));
    write_four(row, params.first_word + 8u, texelFetch(slices_2, ivec2(at), 0));
    write_four(row, params.first_word + 12u, texelFetch(slices_3, ivec2(at), 0));
}

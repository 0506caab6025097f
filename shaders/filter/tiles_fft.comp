#version 460
// Convolution by transforms of square tiles (overlap-save): a group transforms a tile of the source
// in its shared memory, multiplies it by the kernel's spectrum and transforms it back. What comes
// round is thrown away, so that tiles overlap by the kernel's size. Kernels are real, so two tiles
// of an array are the real and the imaginary part of one. Along z and w, products of slices are
// added before the way back.
//
// Traffic: 4 bytes read for each number of a tile and each slice of the kernel, 8 for each of the
// spectrum, which the groups share; 4 bytes written a result.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "indices.glsl"
#include "tile_steps.glsl"

layout(constant_id = 4) const uint border = 0u;
layout(constant_id = 5) const uint filters = 1u;
layout(constant_id = 6) const uint slices_z = 1u; // of a kernel
layout(constant_id = 7) const uint slices_w = 1u;

readonly buffer Source { float values[]; } source;
readonly buffer Spectra { vec2 values[]; } spectra; // of the slices of all kernels, scaled
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before;
    uvec2 tiles;   // of a slice of the result: across, down
    uvec2 results; // of a tile
    uint count;    // of the tiles of an array
    uint arrays;
} params;

const uint kSlices = slices_z * slices_w;

struct Tile {
    bool exists;
    uint array;
    uvec4 place; // of its first result
};

Tile tile_of(uint array, uint index) {
    uvec4 place = place_of(index, uvec4(params.tiles, params.result_size.zw));
    place.xy *= params.results;
    return Tile(index < params.count, array, place);
}

// A column of the source that a tile meets.
struct Column {
    bool exists;
    uint first;   // number of its slice
    uint x;
    int y;        // of its first number
};

Column column_of(Tile tile, uint slice) {
    ivec4 corner = ivec4(tile.place) - params.before;
    uint x = place_read(border, corner.x + int(own_line()), params.size.x);
    uint z = place_read(border, corner.z + int(slice % slices_z), params.size.z);
    uint w = place_read(border, corner.w + int(slice / slices_z), params.size.w);
    bool exists = tile.exists && x != kNowhere && z != kNowhere && w != kNowhere;
    uint rows = ((tile.array * params.size.w + w) * params.size.z + z) * params.size.y;
    return Column(exists, rows * params.size.x, x, corner.y);
}

float number_of(Column from, uint y) {
    uint row = place_read(border, from.y + int(y), params.size.y);
    if (!from.exists || row == kNowhere) return 0.0;
    return source.values[from.first + row * params.size.x + from.x];
}

void load_tiles(Tile first, Tile second, uint slice) {
    Column real = column_of(first, slice);
    Column imaginary = column_of(second, slice);
    [[unroll]] for (uint e = 0u; e < elements; ++e) {
        uint y = place_of_eight(e / 8u, e % 8u);
        value[e] = vec2(number_of(real, y), number_of(imaginary, y));
    }
}

void store_number(Tile tile, uint which, uvec2 within, float number) {
    uvec2 place = tile.place.xy + within;
    bool wanted = tile.exists && all(lessThan(within, params.results)) &&
                  all(lessThan(place, params.result_size.xy));
    if (!wanted) return;
    uint first = (tile.array * filters + which) * count_of(params.result_size);
    uint at = index_of(uvec4(place, tile.place.zw), params.result_size);
    result.values[first + at] = number;
}

// What the way back has left, real and imaginary parts swapped.
void store_tiles(Tile first, Tile second, uint which) {
    [[unroll]] for (uint e = 0u; e < elements; ++e) {
        uvec2 within = uvec2(own_line(), place_of_eight(e / 8u, e % 8u));
        store_number(first, which, within, value[e].y);
        store_number(second, which, within, value[e].x);
    }
}

vec2 kept[elements]; // the spectrum of the only slice, or the sum of all products

vec2 product(uint which, uint slice, uint e, vec2 number) {
    return times(number, spectra.values[spectrum_place(which * kSlices + slice, e)]);
}

// The window's slices meet those of the kernel in the opposite order.
void sum_slices(Tile first, Tile second, uint which) {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        kept[e] = vec2(0.0);
    for (uint slice = 0u; slice < kSlices; ++slice) {
        load_tiles(first, second, slice);
        if (slice > 0u) barrier(); // all have read what is written next
        transform_tile();
        [[unroll]] for (uint e = 0u; e < elements; ++e)
            kept[e] = kSlices == 1u ? value[e]
                                    : kept[e] + product(which, kSlices - 1u - slice, e, value[e]);
    }
}

void main() {
    uint pairs = (params.count + 1u) / 2u;
    uint array = group_index() / pairs;
    if (array >= params.arrays) return; // the whole group
    Tile first = tile_of(array, 2u * (group_index() % pairs));
    Tile second = tile_of(array, 2u * (group_index() % pairs) + 1u);
    for (uint which = 0u; which < filters; ++which) {
        if (which == 0u || kSlices > 1u) sum_slices(first, second, which);
        // The inverse: the transform with real and imaginary parts swapped.
        [[unroll]] for (uint e = 0u; e < elements; ++e)
            value[e] = (kSlices == 1u ? product(which, 0u, e, kept[e]) : kept[e]).yx;
        transform_tile_back();
        store_tiles(first, second, which);
    }
}

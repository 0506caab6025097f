#version 460
// Convolution by transforms of square tiles (overlap-save): a group transforms a tile of the source in
// its shared memory, multiplies it by the kernel's spectrum and transforms it back. What comes round is
// thrown away, so that tiles overlap by the kernel's size. Kernels are real, so two tiles of an array are
// the real and the imaginary part of one. Along z and w, products of slices are added before the way back.
//
// Traffic: 4 bytes read for each number of a tile and each slice of the kernel, 8 for each of the
// spectrum, which the groups share; 4 bytes written a result.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "fft/steps.glsl"
#include "invocation.glsl"
#include "indices.glsl"

readonly buffer Source { float values[]; } source;
readonly buffer Spectra { vec2 values[]; } spectra; // of the slices of all kernels, scaled
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before;
    uvec2 slices;  // of a kernel, along z and w
    uint border;
    uint filters;
    uvec2 tiles;   // of a slice of the result: across, down
    uvec2 results; // of a tile
    uint count;    // of the tiles of an array
    uint arrays;
} params;

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

float source_number(Tile tile, uint slice, uint x, uint y) {
    if (!tile.exists) return 0.0;
    uvec4 within = uvec4(x, y, slice % params.slices.x, slice / params.slices.x);
    ivec4 place = ivec4(tile.place + within) - params.before;
    uint at = index_read(params.border, place, params.size);
    return at == kNowhere ? 0.0 : source.values[tile.array * count_of(params.size) + at];
}

// Rows of 16 are permuted, as in `slot`.
uint cell(uint row, uint place) {
    uint at = row * line + place;
    return at ^ (at >> 4u & 15u);
}

// Through shared memory, so that neighbours read neighbours.
void load_tiles(Tile first, Tile second, uint slice) {
    for (uint i = gl_LocalInvocationIndex; i < line * line; i += gl_WorkGroupSize.x)
        exchanged[cell(i / line, i % line)] = vec2(source_number(first, slice, i % line, i / line),
                                                   source_number(second, slice, i % line, i / line));
    barrier();
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
        [[unroll]] for (uint k = 0u; k < radix0; ++k)
            if (has_butterfly(radix0, b))
                value[b * radix0 + k] = exchanged[cell(column, place_before(radix0, b, k))];
    barrier();
}

// What lies along lines, as the last step of `radix` left it, lies across them after that, as the first
// of `next_radix` takes it.
void turn_tile(uint radix, uint next_radix) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix); ++b)
        [[unroll]] for (uint k = 0u; k < radix; ++k)
            if (has_butterfly(radix, b))
                exchanged[cell(column, place_after(radix, line / radix, b, k))] =
                    value[b * radix + k];
    barrier();
    [[unroll]] for (uint b = 0u; b < butterflies_of(next_radix); ++b)
        [[unroll]] for (uint k = 0u; k < next_radix; ++k)
            if (has_butterfly(next_radix, b))
                value[b * next_radix + k] = exchanged[cell(place_before(next_radix, b, k), column)];
    barrier();
}

// Spectra lie as the transform leaves them: an invocation's line is a column.
vec2 kernel_number(uint first, uint b, uint k) {
    return spectra.values[first + place_before(last_radix, b, k) * line + column];
}

void store_number(Tile tile, uint which, uint x, uint y, float number) {
    uvec4 place = tile.place + uvec4(x, y, 0u, 0u);
    bool wanted = tile.exists && all(lessThan(place.xy, params.result_size.xy));
    if (!wanted) return;
    uint first = (tile.array * params.filters + which) * count_of(params.result_size);
    result.values[first + index_of(place, params.result_size)] = number;
}

// What the way back has left, as the last step of radix0 does.
void store_tiles(Tile first, Tile second, uint which) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
        [[unroll]] for (uint k = 0u; k < radix0; ++k)
            if (has_butterfly(radix0, b))
                exchanged[cell(column, place_after(radix0, line / radix0, b, k))] =
                    value[b * radix0 + k].yx;
    barrier();
    uint count = params.results.x * params.results.y;
    for (uint i = gl_LocalInvocationIndex; i < count; i += gl_WorkGroupSize.x) {
        uint x = i % params.results.x;
        uint y = i / params.results.x;
        vec2 numbers = exchanged[cell(y, x)];
        store_number(first, which, x, y, numbers.x);
        store_number(second, which, x, y, numbers.y);
    }
    barrier();
}

vec2 kept[elements]; // the spectrum of the only slice, or the sum of all products

// The window's slices meet those of the kernel in the opposite order.
void sum_slices(Tile first, Tile second, uint which) {
    uint slices = params.slices.x * params.slices.y;
    [[unroll]] for (uint e = 0u; e < elements; ++e) kept[e] = vec2(0.0);
    for (uint slice = 0u; slice < slices; ++slice) {
        uint spectrum = (which * slices + slices - 1u - slice) * line * line;
        load_tiles(first, second, slice);
        for (uint axis = 0u; axis < 2u; ++axis) { // not twice in the kernel's code
            if (axis == 1u) turn_tile(last_radix, radix0);
            transform_lines();
        }
        [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
            [[unroll]] for (uint k = 0u; k < last_radix; ++k) {
                if (!has_butterfly(last_radix, b)) continue;
                uint e = b * last_radix + k;
                kept[e] = slices == 1u ? value[e]
                                       : kept[e] + times(value[e], kernel_number(spectrum, b, k));
            }
    }
}

// The inverse: the transform with real and imaginary parts swapped.
void transform_tile_back(uint which) {
    bool one_slice = params.slices.x * params.slices.y == 1u;
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k) {
            if (!has_butterfly(last_radix, b)) continue;
            uint e = b * last_radix + k;
            vec2 number = kept[e];
            if (one_slice) number = times(number, kernel_number(which * line * line, b, k));
            value[e] = number.yx;
        }
    for (uint axis = 0u; axis < 2u; ++axis) {
        if (axis == 1u) turn_tile(radix0, last_radix);
        transform_back();
    }
}

void main() {
    take_places(load_by_columns);
    uint pairs = (params.count + 1u) / 2u;
    uint array = group_index() / pairs;
    if (array >= params.arrays) return; // the whole group
    Tile first = tile_of(array, 2u * (group_index() % pairs));
    Tile second = tile_of(array, 2u * (group_index() % pairs) + 1u);
    bool one_slice = params.slices.x * params.slices.y == 1u;
    for (uint which = 0u; which < params.filters; ++which) {
        if (which == 0u || !one_slice) sum_slices(first, second, which);
        transform_tile_back(which);
        store_tiles(first, second, which);
    }
}

#version 460
// The median of a box of numbers. Numbers are compared as whole numbers in the same order, so that NaN
// has a place as well. By forgetful selection in registers: of half of the numbers and two more
// neither the least nor the greatest is the median, so both make room for the next. Two results side by
// side share the numbers that both windows have. METHOD bisection: any window, from the numbers' highest
// bit down.
//! variants METHOD=selection,bisection
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

layout(constant_id = 0) const uint border = 0u;
#if METHOD_selection
layout(constant_id = 1) const uint window_x = 1u;
layout(constant_id = 2) const uint window_y = 1u;
layout(constant_id = 3) const uint window_z = 1u;
layout(constant_id = 4) const uint window_w = 1u;
layout(constant_id = 5) const uint results = 1u; // of an invocation: 1 or 2, along x
layout(constant_id = 6) const uint columns = 8u; // invocations of a group along x, y and z
layout(constant_id = 7) const uint lines = 8u;
layout(constant_id = 8) const uint slices = 4u;
#endif

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 before; // places before a result's own at which its window begins
#if METHOD_selection
    uvec3 tiles; // of an array's slices along x, y and z
    uint groups;
#else
    uvec4 window;
    uint count;
#endif
} params;

// The order of whole numbers is that of the numbers; its own inverse.
int ordered(int bits) {
    return bits ^ (bits >> 31 & 0x7fffffff);
}

int key_at(uint first, ivec4 place) {
    uint at = index_read(border, place, params.size);
    return at == kNowhere ? 0 : ordered(floatBitsToInt(source.values[first + at]));
}

#if METHOD_selection
// The numbers that the results of a group meet, with the border's in their places.
const uint kTileX = columns * results + window_x - 1u;
const uint kTileY = lines + window_y - 1u;
const uint kTileZ = slices + window_z - 1u;
const uint kTileNumbers = kTileX * kTileY * kTileZ * window_w;
shared int tile[kTileNumbers];

// Numbers of a window, those that both windows have, and as many as there must be at once.
const uint kCount = window_x * window_y * window_z * window_w;
const uint kRow = results == 2u ? window_x - 1u : window_x;
const uint kShared = kRow * window_y * window_z * window_w;
const uint kHeld = kCount / 2u + 2u < kCount ? kCount / 2u + 2u : kCount;
// What is left of these when all shared numbers have been met.
const uint kLeft = kHeld - (kShared - kHeld);
const uint kMedian = kCount == 1u ? 0u : 1u; // where the last three are in order
int held[kHeld];
int own[kLeft];

uint tile_index(uint x, uint y, uint z, uint w) {
    return ((w * kTileZ + z) * kTileY + y) * kTileX + x;
}

void load_tile(uint first, ivec4 corner) {
    for (uint i = gl_LocalInvocationIndex; i < kTileNumbers; i += columns * lines * slices) {
        ivec4 within = ivec4(i % kTileX, i / kTileX % kTileY, i / (kTileX * kTileY) % kTileZ,
                             i / (kTileX * kTileY * kTileZ));
        tile[i] = key_at(first, corner + within);
    }
}

void exchange(inout int a, inout int b) {
    int least = min(a, b);
    b = max(a, b);
    a = least;
}

// Number i of those that all windows of the invocation have; `first` is where the first window lies.
int shared_number(uint first, uint i) {
    uint x = i % kRow + (results == 2u ? 1u : 0u);
    uint row = i / kRow;
    return tile[first + tile_index(x, row % window_y, row / window_y % window_z,
                                   row / (window_y * window_z))];
}
// Number i of the one column that a window has alone.
int column_number(uint first, uint i) {
    return tile[first + tile_index(0u, i % window_y, i / window_y % window_z,
                                   i / (window_y * window_z))];
}

// The least to the front, the greatest to the end.
#define SEPARATE(numbers, last)                                                              \
    [[unroll]] for (uint i = 0u; 2u * i < (last); ++i) exchange(numbers[i], numbers[(last) - i]); \
    [[unroll]] for (uint i = 1u; 2u * i <= (last); ++i) exchange(numbers[0], numbers[i]);    \
    [[unroll]] for (uint i = ((last) + 1u) / 2u; i < (last); ++i) exchange(numbers[i], numbers[last]);

void meet_shared(uint first) {
    [[unroll]] for (uint i = 0u; i < kHeld; ++i) held[i] = shared_number(first, i);
    [[unroll]] for (uint next = kHeld; next < kShared; ++next) {
        uint last = 2u * kHeld - 1u - next;
        SEPARATE(held, last)
        held[0] = shared_number(first, next);
    }
}

int median_of_window(uint first) {
    [[unroll]] for (uint i = 0u; i < kLeft; ++i) own[i] = held[i];
    [[unroll]] for (uint last = kLeft - 1u; last >= 2u; --last) {
        SEPARATE(own, last)
        uint next = kLeft - 1u - last;
        if (next < kCount - kShared) own[0] = column_number(first, next);
    }
    return own[kMedian];
}

void main() {
    uint index = group_index();
    if (index >= params.groups) return; // the whole group
    uvec4 tile_place = place_of(index, uvec4(params.tiles, 1u));
    uint w = tile_place.w % params.result_size.w;
    uint array = tile_place.w / params.result_size.w;
    uvec4 begin = uvec4(tile_place.xyz * uvec3(columns * results, lines, slices), w);
    load_tile(array * count_of(params.size), ivec4(begin) - ivec4(params.before));
    barrier();
    uint thread = gl_LocalInvocationIndex;
    uvec3 within = uvec3(thread % columns * results, thread / columns % lines,
                         thread / (columns * lines));
    uint first = tile_index(within.x, within.y, within.z, 0u);
    uvec4 place = begin + uvec4(within, 0u);
    if (any(greaterThanEqual(place, params.result_size))) return;
    meet_shared(first);
    [[dont_unroll]] for (uint r = 0u; r < results; ++r) {
        int median = median_of_window(first + r * window_x);
        if (place.x + r < params.result_size.x)
            result.values[array * count_of(params.result_size) +
                          index_of(place + uvec4(r, 0u, 0u, 0u), params.result_size)] =
                intBitsToFloat(ordered(median));
    }
}
#else
// The least key that half of the numbers do not exceed, from the highest bit down.
int median_of_window(uint first, ivec4 corner) {
    uint numbers = count_of(params.window);
    uint found = 0u; // a key with its sign bit turned, so that order is that of uint
    for (uint bit = 0x80000000u; bit != 0u; bit >>= 1) {
        uint tried = found | bit;
        uint below = 0u;
        for (uint i = 0u; i < numbers; ++i) {
            int key = key_at(first, corner + ivec4(place_of(i, params.window)));
            below += (uint(key) ^ 0x80000000u) < tried ? 1u : 0u;
        }
        if (below <= numbers / 2u) found = tried;
    }
    return int(found ^ 0x80000000u);
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint first = index / results * count_of(params.size);
    ivec4 corner = ivec4(place_of(index % results, params.result_size)) - ivec4(params.before);
    result.values[index] = intBitsToFloat(ordered(median_of_window(first, corner)));
}
#endif

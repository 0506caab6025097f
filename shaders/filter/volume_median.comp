#version 460
// The median of a box of numbers. Numbers are compared as whole numbers in the same order, so that NaN
// has a place as well. WINDOW cube: 3 x 3 x 3, by forgetful selection in registers; any: bisection.
//! variants WINDOW=cube,any
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

layout(constant_id = 0) const uint border = 0u;

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 window;
    uvec4 before; // places before a result's own at which its window begins
    uint count;
} params;

// The order of whole numbers is that of the numbers; its own inverse.
int ordered(int bits) {
    return bits ^ (bits >> 31 & 0x7fffffff);
}

int key_at(uint first, ivec4 place) {
    uint at = index_read(border, place, params.size);
    return at == kNowhere ? 0 : ordered(floatBitsToInt(source.values[first + at]));
}

#if WINDOW_cube
const int kCount = 27;
const int kHeld = 15; // kCount / 2 + 2

void exchange(inout int a, inout int b) {
    int least = min(a, b);
    b = max(a, b);
    a = least;
}

int median_of_window(uint first, ivec4 corner) {
    int held[kHeld];
    [[unroll]] for (int i = 0; i < kHeld; ++i)
        held[i] = key_at(first, corner + ivec4(i % 3, i / 3 % 3, i / 9, 0));
    int next = kHeld;
    [[unroll]] for (int last = kHeld - 1; last >= 2; --last) {
        // The least of held[0..last] to the front, the greatest to the end.
        [[unroll]] for (int i = 0; 2 * i < last; ++i) exchange(held[i], held[last - i]);
        [[unroll]] for (int i = 1; 2 * i <= last; ++i) exchange(held[0], held[i]);
        [[unroll]] for (int i = (last + 1) / 2; i < last; ++i) exchange(held[i], held[last]);
        if (next < kCount) {
            held[0] = key_at(first, corner + ivec4(next % 3, next / 3 % 3, next / 9, 0));
            ++next;
        }
    }
    return held[1];
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
#endif

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint first = index / results * count_of(params.size);
    ivec4 corner = ivec4(place_of(index % results, params.result_size)) - ivec4(params.before);
    result.values[index] = intBitsToFloat(ordered(median_of_window(first, corner)));
}

#ifndef DISTANCE_GRASSFIRE
#define DISTANCE_GRASSFIRE
// One pass of a grassfire: texels without a distance take their neighbours' plus one.

#include "border.glsl"

struct Fire {
    uint eight;     // 1: neighbours at the corners count
    uint border;
    uint unreached; // what texels without a distance hold
};

bool is_neighbour(int x, int y, Fire fire) {
    return fire.eight != 0u || x == 0 || y == 0;
}

// The least distance among a texel and its neighbours.
uint least_around(usampler2D before, ivec2 texel, Fire fire) {
    ivec2 size = textureSize(before, 0);
    uint least = fire.unreached;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            if (!is_neighbour(x, y, fire)) continue;
            ivec2 at = texel + ivec2(x, y);
            uint value = has_texel(at, size, fire.border)
                             ? texelFetch(before, wrapped(at, size), 0).r
                             : outside_value(fire.border, fire.unreached);
            least = min(least, value);
        }
    return least;
}

// What a texel becomes: `least` is that of its neighbours. Distances are at most unreached - 1.
uint burnt(uint own, uint least, Fire fire) {
    bool burns = own == fire.unreached && least != fire.unreached;
    return burns ? min(least + 1u, fire.unreached - 1u) : own;
}

#endif

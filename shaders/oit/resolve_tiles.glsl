// Compute kernels that blend the fragments of the pixels of 8x8 tiles: of all, or of those listed.
layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uvec2 origin;   // of the rectangle with fragments, in pixels
    uvec2 size;     // of the rectangle
    uint capacity;  // fragments that there is room for
    uint first;     // of the tiles in the list
    vec2 depths;    // scale and bias of the fragments'
} params;

// A depth of the picture as fragments have theirs.
float as_stored(float depth) {
    return clamp(depth * params.depths.x + params.depths.y, 0.0, 1.0);
}

#include "select.glsl"

layout(constant_id = 14) const uint kOrder = 0u; // kOver, kUnder
layout(constant_id = 15) const uint kLong = 0u;  // of lists longer than kKeep: kExact, kNearest

const uint kOver = 0u;
const uint kUnder = 1u;
const uint kExact = 0u;
const uint kNearest = 1u;

layout(constant_id = 16) const uint kListed = 0u; // 1: only the tiles of the list
const uint kTileSide = 8u;
const uint kWidestDispatch = 32768u; // groups, as in shaders/oit/tile_arguments.comp

readonly buffer Tiles { uint values[]; } tiles;    // the numbers of tiles, row by row
readonly buffer TileCount { uint values[]; } tile_counts;
#ifndef RESULT_IMAGE
#define RESULT_IMAGE image2D
#endif
uniform writeonly RESULT_IMAGE result;

layout(constant_id = 17) const uint kBucket = 0u;

// The pixel of this invocation, within the rectangle. False where there is none.
bool next_pixel(out uvec2 pixel) {
    uvec2 tile = gl_WorkGroupID.xy;
    if (kListed != 0u) {
        uint number = gl_WorkGroupID.y * kWidestDispatch + gl_WorkGroupID.x;
        if (number >= tile_counts.values[kBucket]) return false;
        uint listed = tiles.values[params.first + number];
        uint across = (params.size.x + kTileSide - 1u) / kTileSide;
        tile = uvec2(listed % across, listed / across);
    }
    pixel = tile * kTileSide + gl_LocalInvocationID.xy;
    return all(lessThan(pixel, params.size));
}

uint pixel_index(uvec2 pixel) {
    return pixel.y * params.size.x + pixel.x;
}

vec4 blended_over(uint pixel, vec4 color) {
    bool nearest = kLong == kNearest;
    uint last = kNoNode;
    Round round;
    do {
        round = select_after(pixel, params.capacity, last, nearest ? kFromFront : kFromBack);
        for (uint i = 0u; i < round.count; ++i) {
            uint place = nearest ? round.count - 1u - i : i;
            Fragment f = fragment_of(kept_node[column(place)]);
            color = blend_over(color, f.color, f.mode);
        }
        if (round.more) last = kept_node[column(kKeep - 1u)];
    } while (round.more && !nearest);
    return color;
}

vec4 blended_under(uint pixel, vec4 background) {
    Under under = nothing_yet();
    uint last = kNoNode;
    Round round;
    do {
        round = select_after(pixel, params.capacity, last, kFromFront);
        for (uint i = 0u; i < round.count; ++i) {
            Fragment f = fragment_of(kept_node[column(i)]);
            blend_under(under, f.color, f.mode);
        }
        if (round.more) last = kept_node[column(kKeep - 1u)];
    } while (round.more && kLong == kExact);
    return put_under(under, background);
}

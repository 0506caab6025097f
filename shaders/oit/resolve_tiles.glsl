// Compute kernels that blend the fragments of the pixels of 8x8 tiles: of all, or of those listed.
layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uvec2 origin;   // of the rectangle with fragments, in pixels
    uvec2 size;     // of the rectangle
    uint capacity;  // fragments that there is room for
    uint first;     // of the tiles in the list
} params;

// Sorting and blending the fragments of a pixel. Before the include: oit/lists.glsl's conditions.
#include "lists.glsl"
#include "blend.glsl"

layout(constant_id = 13) const uint kKeep = 8u;  // fragments sorted at a time
layout(constant_id = 14) const uint kOrder = 0u; // kOver, kUnder
layout(constant_id = 15) const uint kLong = 0u;  // of lists longer than kKeep: kExact, kNearest

const uint kOver = 0u;
const uint kUnder = 1u;
const uint kExact = 0u;
const uint kNearest = 1u;

layout(constant_id = 16) const uint kListed = 0u; // 1: only the tiles of the list
const uint kTileSide = 8u;
const uint kThreads = 64u;
const uint kWidestDispatch = 32768u; // groups, as in shaders/oit/tile_arguments.comp

readonly buffer Tiles { uint values[]; } tiles;    // the numbers of tiles, row by row
readonly buffer TileCount { uint values[]; } tile_counts;
#ifndef RESULT_IMAGE
#define RESULT_IMAGE image2D
#endif
uniform writeonly RESULT_IMAGE result;

layout(constant_id = 17) const uint kBucket = 0u;

shared uint kept_depth[kKeep * kThreads];
shared uint kept_node[kKeep * kThreads];
#define COLUMN(i) ((i)*kThreads + gl_LocalInvocationIndex)

// The fragments of a pixel in order, kKeep at a time. Each invocation has a column of shared memory
// for them (or, in fragment shaders, an array of its own): places and node numbers move there, and
// the fragments themselves stay where they are. Longer lists are gone through again, from where the
// last round ended, so that nothing is lost however long they are. After oit/lists.glsl; declare
// COLUMN(i), the place of the column's element i in `kept_depth` and `kept_node`.

// One round: the first fragments, in order, of those that come after `last` (kNoNode: of all).
struct Round {
    uint count; // in the column
    bool more;  // there are others after these
};

// Whether a comes before b in the order of this round.
bool comes_first(uint depth_a, uint a, uint depth_b, uint b, bool from_the_back) {
    return from_the_back ? is_before(depth_b, b, depth_a, a) : is_before(depth_a, a, depth_b, b);
}

Round select_after(uint pixel, uint last, bool from_the_back) {
    Round round = Round(0u, false);
    uint last_depth = last == kNoNode ? 0u : depth_key(last);
    for (Cursor c = first_fragment(pixel); !is_at_end(c); advance(c)) {
        uint node = c.node;
        uint depth = depth_key(node);
        if (last != kNoNode && !comes_first(last_depth, last, depth, node, from_the_back)) continue;
        uint place = round.count;
        if (place == kKeep) {
            round.more = true;
            --place;
            if (!comes_first(depth, node, kept_depth[COLUMN(place)], kept_node[COLUMN(place)],
                             from_the_back))
                continue;
        } else {
            ++round.count;
        }
        while (place > 0u &&
               comes_first(depth, node, kept_depth[COLUMN(place - 1u)],
                           kept_node[COLUMN(place - 1u)], from_the_back)) {
            kept_depth[COLUMN(place)] = kept_depth[COLUMN(place - 1u)];
            kept_node[COLUMN(place)] = kept_node[COLUMN(place - 1u)];
            --place;
        }
        kept_depth[COLUMN(place)] = depth;
        kept_node[COLUMN(place)] = node;
    }
    return round;
}

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
        round = select_after(pixel, last, !nearest);
        for (uint i = 0u; i < round.count; ++i) {
            uint place = nearest ? round.count - 1u - i : i;
            color = blend_over(color, fragment_of(kept_node[COLUMN(place)]));
        }
        if (round.more) last = kept_node[COLUMN(kKeep - 1u)];
    } while (round.more && !nearest);
    return color;
}

vec4 blended_under(uint pixel, vec4 background) {
    Under under = nothing_yet();
    uint last = kNoNode;
    Round round;
    do {
        round = select_after(pixel, last, false);
        for (uint i = 0u; i < round.count; ++i)
            blend_under(under, fragment_of(kept_node[COLUMN(i)]));
        if (round.more) last = kept_node[COLUMN(kKeep - 1u)];
    } while (round.more && kLong == kExact);
    return put_under(under, background);
}

// Tiles of a convolution: what a group loads of the source, and how its results are stored.
//
// An invocation makes `results` numbers of a row, in `rows` rows, of `slices` slices, for `filters`
// kernels. A tile has the numbers that the group's results of a slice meet, remapped by the border, so
// that what reads it knows of no border.
#include "invocation.glsl"
#include "border.glsl"

layout(constant_id = 1) const uint border = 0u;
layout(constant_id = 2) const uint kernel_x = 1u;
layout(constant_id = 3) const uint kernel_y = 1u;
layout(constant_id = 4) const uint kernel_z = 1u;
layout(constant_id = 5) const uint kernel_w = 1u;
layout(constant_id = 6) const uint columns = 16u; // invocations along x
layout(constant_id = 7) const uint lines = 16u;   // and along y
layout(constant_id = 8) const uint results = 4u;  // a multiple of 4
layout(constant_id = 9) const uint rows = 1u;
layout(constant_id = 10) const uint slices = 1u;
layout(constant_id = 11) const uint filters = 1u;
layout(constant_id = 13) const uint tiles = 1u; // that a group has at a time

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

const uint kGroup = columns * lines;
const uint kTileWidth = columns * results; // results of a slice
const uint kTileHeight = lines * rows;
const uint kLoadedWidth = kTileWidth + kernel_x - 1u; // numbers that these meet
const uint kLoadedHeight = kTileHeight + kernel_y - 1u;
const uint kWindow = results + kernel_x - 1u; // numbers that a row of results meets
const uint kWindowQuads = (kWindow + 3u) / 4u;
const uint kWeightQuads = (kernel_x + 3u) / 4u;

// The group loads a tile row by row, `kLanes` numbers at a time.
const uint kLanes = kGroup < 32u ? kGroup : 32u;
const uint kSteps = (kLoadedWidth + kLanes - 1u) / kLanes;

// A row of the tile has its vectors in `kPlanes` parts, vector q in part q % kPlanes: an invocation
// begins at every kPlanes-th vector, and so neighbours read neighbours, without bank conflicts.
const uint kPlanes = results / 4u;
const uint kPlane = ((columns - 1u) * kPlanes + kWindowQuads + kPlanes - 1u) / kPlanes;
const uint kPitch = kPlane * kPlanes;
const uint kTileQuads = kPitch * kLoadedHeight;
shared vec4 tile[kTileQuads * tiles];

float sums[filters * slices * rows * results];

uint slot(uint row, uint quad) {
    return row * kPitch + quad % kPlanes * kPlane + quad / kPlanes;
}

uint sum_slot(uint f, uint s, uint y) {
    return ((f * slices + s) * rows + y) * results;
}

void clear_sums() {
    [[unroll]] for (uint i = 0u; i < filters * slices * rows * results; ++i)
        sums[i] = 0.0;
}

uint source_x[kSteps]; // the numbers of a row that the invocation loads, in the source

// Which numbers the invocation loads of every row: once for all tiles.
void take_columns(int corner, uint size) {
    [[unroll]] for (uint i = 0u; i < kSteps; ++i) {
        uint x = gl_LocalInvocationIndex % kLanes + i * kLanes;
        source_x[i] = x < kLoadedWidth ? place_read(border, corner + int(x), size) : kNowhere;
    }
}

// Loads tile number `index`: slice `slice` of all of the source, `size` numbers, from row `corner` on.
void load_tile(uint index, uint slice, int corner, uvec2 size) {
    uint lane = gl_LocalInvocationIndex % kLanes;
    for (uint row = gl_LocalInvocationIndex / kLanes; row < kLoadedHeight; row += kGroup / kLanes) {
        uint y = place_read(border, corner + int(row), size.y);
        bool exists = slice != kNowhere && y != kNowhere;
        uint first = (slice * size.y + y) * size.x;
        float fetched[kSteps];
        [[unroll]] for (uint i = 0u; i < kSteps; ++i) {
            fetched[i] = 0.0;
            if (exists && source_x[i] != kNowhere)
                fetched[i] = source.values[first + source_x[i]];
        }
        [[unroll]] for (uint i = 0u; i < kSteps; ++i) {
            uint x = lane + i * kLanes;
            if (x < kLoadedWidth)
                tile[index * kTileQuads + slot(row, x / 4u)][x % 4u] = fetched[i];
        }
    }
}

// Vector `q` of all that the invocation's results meet in a row of a tile.
vec4 window_quad(uint index, uint row, uint q) {
    uint first = index * kTileQuads + row * kPitch + gl_LocalInvocationIndex % columns;
    return tile[first + q % kPlanes * kPlane + q / kPlanes];
}
// The first row of a tile that the invocation's results meet.
uint own_row() {
    return gl_LocalInvocationIndex / columns * rows;
}

// Stores the sums from slice `s` and filter `f` as slice `slice` of all of the result, at `place`.
// Through the first tile, so that neighbours write neighbours; all of the group come by.
void store_slice(uint f, uint s, uint slice, uvec2 place, uvec2 size) {
    uint column = gl_LocalInvocationIndex % columns;
    [[unroll]] for (uint y = 0u; y < rows; ++y)
        [[unroll]] for (uint q = 0u; q < kPlanes; ++q) {
            uint at = sum_slot(f, s, y) + 4u * q;
            tile[(own_row() + y) * kPitch + q * kPlane + column] =
                vec4(sums[at], sums[at + 1u], sums[at + 2u], sums[at + 3u]);
        }
    barrier();
    [[unroll]] for (uint n = 0u; n < results * rows; ++n) {
        uint i = gl_LocalInvocationIndex + n * kGroup;
        uvec2 within = uvec2(i % kTileWidth, i / kTileWidth);
        uvec2 at = place + within;
        if (all(lessThan(at, size)))
            result.values[(slice * size.y + at.y) * size.x + at.x] =
                tile[slot(within.y, within.x / 4u)][within.x % 4u];
    }
    barrier();
}

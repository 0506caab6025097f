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
const uint kFetches = 4u; // of the source that an invocation has in flight

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

float number_at(uint slice, ivec2 corner, uint i, uvec2 size) {
    uint y = place_read(border, corner.y + int(i / kLoadedWidth), size.y);
    uint x = place_read(border, corner.x + int(i % kLoadedWidth), size.x);
    if (slice == kNowhere || x == kNowhere || y == kNowhere) return 0.0;
    return source.values[(slice * size.y + y) * size.x + x];
}

// Loads tile number `index`: slice `slice` of all of the source, `size` numbers, from `corner` on.
void load_tile(uint index, uint slice, ivec2 corner, uvec2 size) {
    const uint kCount = kLoadedWidth * kLoadedHeight;
    for (uint i = gl_LocalInvocationIndex; i < kCount; i += kFetches * kGroup) {
        float fetched[kFetches];
        [[unroll]] for (uint j = 0u; j < kFetches; ++j)
            if (i + j * kGroup < kCount)
                fetched[j] = number_at(slice, corner, i + j * kGroup, size);
        [[unroll]] for (uint j = 0u; j < kFetches; ++j) {
            uint at = i + j * kGroup;
            uint x = at % kLoadedWidth;
            if (at < kCount)
                tile[index * kTileQuads + slot(at / kLoadedWidth, x / 4u)][x % 4u] = fetched[j];
        }
    }
}

// Vector `q` of those that the invocation's results meet in a row of a tile.
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
    for (uint i = gl_LocalInvocationIndex; i < kTileWidth * kTileHeight; i += kGroup) {
        uvec2 within = uvec2(i % kTileWidth, i / kTileWidth);
        uvec2 at = place + within;
        if (any(greaterThanEqual(at, size))) continue;
        result.values[(slice * size.y + at.y) * size.x + at.x] =
            tile[slot(within.y, within.x / 4u)][within.x % 4u];
    }
    barrier();
}

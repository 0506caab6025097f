// A tile of an image, in the coordinates of its quadrant, in shared memory. Before the include,
// define what summed_area_value.glsl asks for.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

#include "primitives/quadrants.glsl"
#include "primitives/summed_area_value.glsl"

uniform sampler2D source;

uniform Params {
    ivec2 origin;
    ivec2 tiles;  // of a quadrant
    ivec2 extent; // of a quadrant: lengths of the lines of carries
    float levels; // SUM_INTEGERS: a texel of 1 counts as many
} params;

// As in passes/primitives/summed_area_table.cpp.
#if defined(SUM_ONE_CHANNEL)
const int kTile = 64;
#else
const int kTile = 32;
#endif
// A group is kStrips strips; each invocation has kStrip texels of a row or of a column.
const int kStrips = 256 / kTile;
const int kStrip = kTile / kStrips;

shared VALUE tile[kTile * (kTile + 1)]; // rows are one longer, against bank conflicts
shared VALUE strip_sums[kStrips * kTile];

int tile_at(int x, int y) {
    return y * (kTile + 1) + x;
}

// The first texel of this group's tile, in its quadrant.
ivec2 tile_corner() {
    return ivec2(gl_WorkGroupID.xy) * kTile;
}

// Which line of the tile this invocation works on, and which strip of the line.
int own_line() {
    return int(gl_LocalInvocationIndex) % kTile;
}
int own_strip() {
    return int(gl_LocalInvocationIndex) / kTile;
}

// Fills the tile, with zeros beyond the quadrant. All invocations of the group must call it;
// afterwards all may read.
void load_tile() {
    ivec2 size = quadrant_size(gl_WorkGroupID.z, textureSize(source, 0), params.origin);
    int x = own_line();
    int first = own_strip() * kStrip;
    VALUE column[kStrip];
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        ivec2 place = tile_corner() + ivec2(x, first + i);
        bool inside = all(lessThan(place, size));
        ivec2 texel = quadrant_texel(gl_WorkGroupID.z, place, params.origin);
        column[i] =
            inside ? to_value(texelFetch(source, texel, 0), params.levels) : VALUE(0);
    }
    [[unroll]] for (int i = 0; i < kStrip; ++i) tile[tile_at(x, first + i)] = column[i];
    barrier();
}

// What lies before this invocation's strip of its line, given what the strip sums up to. All
// invocations of the group must call it.
VALUE sum_of_strips_before(VALUE sum) {
    strip_sums[own_strip() * kTile + own_line()] = sum;
    barrier();
    VALUE before = VALUE(0);
    for (int strip = 0; strip < own_strip(); ++strip) before += strip_sums[strip * kTile + own_line()];
    barrier();
    return before;
}

// Where the carry of a line of a tile lies: `tile_number` across the line, `place` along it.
uint row_carry_at(int tile_number, int place) {
    return (gl_WorkGroupID.z * uint(params.tiles.x) + uint(tile_number)) * uint(params.extent.y) +
           uint(place);
}
uint column_carry_at(int tile_number, int place) {
    return (gl_WorkGroupID.z * uint(params.tiles.y) + uint(tile_number)) * uint(params.extent.x) +
           uint(place);
}

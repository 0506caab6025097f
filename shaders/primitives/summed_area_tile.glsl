// A tile of an image, in the coordinates of its quadrant. Each invocation has a strip of a column in
// registers, the strips side by side are rows of subgroups: they add up along the rows. Shared
// memory holds sums of strips and subgroups alone, so that many groups have room at once. Before the
// include, define what summed_area_value.glsl asks for.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256) in;

#include "quadrants.glsl"
#include "summed_area_value.glsl"

uniform sampler2D source;

uniform Params {
    ivec2 origin;
    ivec2 tiles;  // of a quadrant
    ivec2 extent; // of a quadrant: lengths of the lines of carries
    float levels; // INTEGERS: a texel of 1 counts as many
} params;

// As in passes/primitives/summed_area_table.cpp.
layout(constant_id = 0) const int tile_width = 64; // at least a subgroup
#if ONE_CHANNEL
const int kStrip = 16;
#else
const int kStrip = 4;
#endif
const int kGroup = 256;
const int kStrips = kGroup / tile_width; // one above the other
const int kTileHeight = kStrips * kStrip;
const int kMaxSubgroups = 64; // of a group: the smallest have four invocations

shared VALUE strip_sums[kGroup];                 // by strip, then by column
shared VALUE row_parts[kMaxSubgroups * kStrip]; // by subgroup, then by row of its strips

int own_index() {
    return int(gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
}
int own_column() {
    return own_index() % tile_width;
}
int own_strip() {
    return own_index() / tile_width;
}
// Subgroups side by side in a row.
int parts_of_row() {
    return tile_width / int(gl_SubgroupSize);
}
int row_part_at(int strip, int part, int i) {
    return (strip * parts_of_row() + part) * kStrip + i;
}
int own_row_part(int i) {
    return int(gl_SubgroupID) * kStrip + i;
}

// The first texel of this group's tile, in its quadrant.
ivec2 tile_corner() {
    return ivec2(gl_WorkGroupID.xy) * ivec2(tile_width, kTileHeight);
}
// The first texel of this invocation's strip.
ivec2 own_place() {
    return tile_corner() + ivec2(own_column(), own_strip() * kStrip);
}

// This invocation's strip, with zeros beyond the quadrant.
VALUE[kStrip] load_strip() {
    ivec2 size = quadrant_size(gl_WorkGroupID.z, textureSize(source, 0), params.origin);
    VALUE strip[kStrip];
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        ivec2 place = own_place() + ivec2(0, i);
        ivec2 texel = quadrant_texel(gl_WorkGroupID.z, place, params.origin);
        bool inside = all(lessThan(place, size));
        strip[i] = inside ? to_value(texelFetch(source, texel, 0), params.levels) : VALUE(0);
    }
    return strip;
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

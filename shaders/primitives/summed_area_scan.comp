#version 460
// Last step of a summed-area table: of all channels, of one, or of whole numbers.
//! variants ONE_CHANNEL=0,1 INTEGERS=0,1 except 1,1

// The table itself, tile by tile: sums along the rows that begin with what lies before the tile, and
// sums of these along the columns that begin with the table's row before the tile. Define what
// summed_area_value.glsl asks for.
#include "summed_area_tile.glsl"

readonly buffer RowCarries { VALUE values[]; } row_carries;
readonly buffer ColumnCarries { VALUE values[]; } column_carries;

#if INTEGERS
uniform writeonly uimage2D sums;
#else
uniform writeonly image2D sums;
#endif

void main() {
    VALUE strip[kStrip] = load_strip();
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        strip[i] = subgroupInclusiveAdd(strip[i]);
        if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) row_parts[own_row_part(i)] = strip[i];
    }
    barrier();

    ivec2 place = own_place();
    int own_part = own_column() / int(gl_SubgroupSize);
    VALUE sum = VALUE(0);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        VALUE before = VALUE(0);
        if (place.y + i < params.extent.y)
            before = row_carries.values[row_carry_at(int(gl_WorkGroupID.x), place.y + i)];
        for (int part = 0; part < own_part; ++part) before += row_parts[row_part_at(own_strip(), part, i)];
        sum += before + strip[i];
        strip[i] = sum;
    }
    strip_sums[own_index()] = sum;
    barrier();

    VALUE above = VALUE(0);
    if (place.x < params.extent.x)
        above = column_carries.values[column_carry_at(int(gl_WorkGroupID.y), place.x)];
    for (int other = 0; other < own_strip(); ++other) above += strip_sums[other * tile_width + own_column()];
    ivec2 size = quadrant_size(gl_WorkGroupID.z, imageSize(sums), params.origin);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        ivec2 at = place + ivec2(0, i);
        if (all(lessThan(at, size)))
            imageStore(sums, quadrant_texel(gl_WorkGroupID.z, at, params.origin),
                       to_texel(above + strip[i]));
    }
}

// The table itself, tile by tile: sums along the rows that begin with what lies before the tile, and
// sums of these along the columns that begin with the table's row before the tile. Define what
// summed_area_value.glsl asks for.
#include "primitives/summed_area_tile.glsl"

readonly buffer RowCarries { VALUE values[]; } row_carries;
readonly buffer ColumnCarries { VALUE values[]; } column_carries;

#if defined(SUM_INTEGERS)
uniform writeonly uimage2D sums;
#else
uniform writeonly image2D sums;
#endif

void main() {
    load_tile();
    int line = own_line();
    int first = own_strip() * kStrip;
    ivec2 place = tile_corner() + line;
    VALUE values[kStrip];

    VALUE sum = VALUE(0);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        sum += tile[tile_at(first + i, line)];
        values[i] = sum;
    }
    VALUE before = sum_of_strips_before(sum);
    if (place.y < params.extent.y)
        before += row_carries.values[row_carry_at(int(gl_WorkGroupID.x), place.y)];
    [[unroll]] for (int i = 0; i < kStrip; ++i) tile[tile_at(first + i, line)] = before + values[i];
    barrier();

    sum = VALUE(0);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        sum += tile[tile_at(line, first + i)];
        values[i] = sum;
    }
    before = sum_of_strips_before(sum);
    if (place.x < params.extent.x)
        before += column_carries.values[column_carry_at(int(gl_WorkGroupID.y), place.x)];

    ivec2 size = quadrant_size(gl_WorkGroupID.z, imageSize(sums), params.origin);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        ivec2 at = ivec2(place.x, tile_corner().y + first + i);
        if (all(lessThan(at, size)))
            imageStore(sums, quadrant_texel(gl_WorkGroupID.z, at, params.origin),
                       to_texel(before + values[i]));
    }
}

// The sums of the rows and of the columns of each tile. Define what summed_area_value.glsl asks for.
#include "primitives/summed_area_tile.glsl"

writeonly buffer RowSums { VALUE values[]; } row_sums;
writeonly buffer ColumnSums { VALUE values[]; } column_sums;

void main() {
    load_tile();
    int line = own_line();
    int first = own_strip() * kStrip;
    VALUE row = VALUE(0);
    VALUE column = VALUE(0);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        row += tile[tile_at(first + i, line)];
        column += tile[tile_at(line, first + i)];
    }
    row += sum_of_strips_before(row);
    column += sum_of_strips_before(column);
    if (own_strip() != kStrips - 1) return;
    ivec2 place = tile_corner() + line;
    if (place.y < params.extent.y)
        row_sums.values[row_carry_at(int(gl_WorkGroupID.x), place.y)] = row;
    if (place.x < params.extent.x)
        column_sums.values[column_carry_at(int(gl_WorkGroupID.y), place.x)] = column;
}

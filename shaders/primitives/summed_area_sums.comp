#version 460
// First step of a summed-area table, of all channels, of one, or of whole numbers: the sums of each
// tile's rows and columns.
//! variants ONE_CHANNEL=0,1 INTEGERS=0,1 except 1,1

// The sums of the rows and of the columns of each tile. Define what summed_area_value.glsl asks for.
#include "summed_area_tile.glsl"

writeonly buffer RowSums { VALUE values[]; } row_sums;
writeonly buffer ColumnSums { VALUE values[]; } column_sums;

void main() {
    VALUE strip[kStrip] = load_strip();
    VALUE column = VALUE(0);
    [[unroll]] for (int i = 0; i < kStrip; ++i) {
        column += strip[i];
        VALUE row = subgroupAdd(strip[i]);
        if (gl_SubgroupInvocationID == 0u) row_parts[own_row_part(i)] = row;
    }
    strip_sums[own_index()] = column;
    barrier();

    ivec2 place = tile_corner() + own_index();
    if (own_index() < kTileHeight && place.y < params.extent.y) {
        VALUE sum = VALUE(0);
        for (int part = 0; part < parts_of_row(); ++part)
            sum += row_parts[row_part_at(own_index() / kStrip, part, own_index() % kStrip)];
        row_sums.values[row_carry_at(int(gl_WorkGroupID.x), place.y)] = sum;
    }
    if (own_index() < tile_width && place.x < params.extent.x) {
        VALUE sum = VALUE(0);
        for (int above = 0; above < kStrips; ++above) sum += strip_sums[above * tile_width + own_index()];
        column_sums.values[column_carry_at(int(gl_WorkGroupID.y), place.x)] = sum;
    }
}

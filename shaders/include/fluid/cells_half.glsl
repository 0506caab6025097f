// How a state holds a cell: in 8 bytes, four numbers of 16 bits.
#define StoredCell uvec2

vec4 cell_of(StoredCell stored) {
    return vec4(unpackHalf2x16(stored.x), unpackHalf2x16(stored.y));
}
StoredCell stored_cell(vec4 cell) {
    return uvec2(packHalf2x16(cell.xy), packHalf2x16(cell.zw));
}

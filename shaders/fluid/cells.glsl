// How a state holds a cell: in 16 bytes or, if HALF, in 8 bytes, four numbers of 16 bits.
#if HALF
#define StoredCell uvec2

vec4 cell_of(StoredCell stored) {
    return vec4(unpackHalf2x16(stored.x), unpackHalf2x16(stored.y));
}
StoredCell stored_cell(vec4 cell) {
    return uvec2(packHalf2x16(cell.xy), packHalf2x16(cell.zw));
}

// What a state would make of a cell. Where one conversion follows the other compilers may leave out
// both, so there is a zero between them that they do not know for one.
vec4 kept_cell(vec4 cell, uint zero) {
    return cell_of(stored_cell(cell) ^ zero);
}
#else
#define StoredCell vec4

vec4 cell_of(StoredCell stored) {
    return stored;
}
StoredCell stored_cell(vec4 cell) {
    return cell;
}
vec4 kept_cell(vec4 cell, uint zero) {
    return cell;
}
#endif

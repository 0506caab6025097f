// How a state holds a cell: in 16 bytes.
#define StoredCell vec4

vec4 cell_of(StoredCell stored) {
    return stored;
}
StoredCell stored_cell(vec4 cell) {
    return cell;
}

// What a state would make of a cell.
vec4 kept_cell(vec4 cell, uint zero) {
    return cell;
}

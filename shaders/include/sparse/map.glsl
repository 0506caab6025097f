#ifndef SPARSE_MAP
#define SPARSE_MAP
// Looks bricks up. The map has a slot word for each brick of the domain, or is a hash table whose
// entries are a brick's number and its slot word.
#include "sparse/bricks.glsl"

readonly buffer BrickMap { uint words[]; } brick_map;

// Where the map has a brick of the domain: its number, or an entry of the table; kNoBrick: nowhere.
uint find_place(uint number) {
    if (kTableBits == 0u) return number;
    uint entry = table_start(number);
    for (uint tried = 0u; tried >> kTableBits == 0u; ++tried) {
        uint key = brick_map.words[2u * entry];
        if (key == number) return entry;
        if (key == kNoBrick) break;
        entry = table_next(entry);
    }
    return kNoBrick;
}

// The slot word of a brick of the domain.
uint find_brick(uint number) {
    uint place = find_place(number);
    if (place == kNoBrick) return kNoBrick;
    return brick_map.words[kTableBits == 0u ? place : 2u * place + 1u];
}

// Where a cell is in fields, or kNoBrick where its brick is not active.
uint find_cell(ivec3 cell) {
    if (!is_in_domain(cell)) return kNoBrick;
    ivec3 brick = cell / kBrick;
    uint word = find_brick(brick_number(brick));
    return is_active(word) ? slot_of(word) * kBrickCells + cell_in_brick(cell - brick * kBrick)
                           : kNoBrick;
}

#endif

#version 460
// The stream of cells that the surface goes through becomes one of as many records a cell as a cell
// has triangles at most: a triangle, or null where the cell has fewer.

layout(local_size_x = 256) in;

#include "cases.glsl"
#include "invocation.glsl"

uniform Params {
    uint cell_room;
} params;

readonly buffer CellKeys { uint keys[]; } cell_keys;
readonly buffer UsedCells { uint numbers[]; } used_cells;
readonly buffer UsedCount { uint words[]; } used_count;
writeonly buffer Records { uint values[]; } records;
writeonly buffer RecordCount { uint words[]; } record_count;

const uint kMaxOfCell = 12u; // at least as many as any case has

void main() {
    uint i = invocation_index();
    uint cells = min(used_count.words[0], params.cell_room);
    if (i == 0u) record_count.words[0] = kMaxOfCell * cells;
    if (i >= cells) return;
    uint key = cell_keys.keys[used_cells.numbers[i]];
    uint triangles = triangles_of(cell_case(key & 0xffu, key >> 8));
    for (uint k = 0u; k < kMaxOfCell; ++k)
        records.values[kMaxOfCell * i + k] = k < triangles ? kMaxOfCell * i + k + 1u : 0u;
}

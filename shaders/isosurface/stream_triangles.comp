#version 460
//! variants FIELD=0,1,2,3
// A triangle for each record of the filtered stream, with vertices of its own.

layout(local_size_x = 64) in;

#include "crossing.glsl"
#include "invocation.glsl"

readonly buffer CellKeys { uint keys[]; } cell_keys;
readonly buffer UsedCells { uint numbers[]; } used_cells;
readonly buffer Records { uint values[]; } records;
readonly buffer RecordCount { uint words[]; } record_count;
writeonly buffer Positions { float numbers[]; } positions;
writeonly buffer Normals { float numbers[]; } normals;
writeonly buffer Indices { uint numbers[]; } indices;

const uint kMaxOfCell = 12u; // as expand_cells.comp has it

void main() {
    uint triangle = invocation_index();
    if (triangle >= min(record_count.words[0], params.triangle_room)) return;
    uint record = records.values[triangle] - 1u;
    uint cell = used_cells.numbers[record / kMaxOfCell];
    uint key = cell_keys.keys[cell];
    uvec2 entry = cell_case(key & 0xffu, key >> 8);
    uvec3 edges = case_triangle(entry, record % kMaxOfCell);
    ivec3 size = lattice();
    int rest = int(cell) / size.x;
    ivec3 point = ivec3(int(cell) % size.x, rest % size.y, rest / size.y);
    for (uint k = 0u; k < 3u; ++k) {
        SurfacePoint at;
        if (edges[k] == kCentre)
            at = middle_crossing(point, entry);
        else
            at = smooth_crossing(point + corner_step(edge_corner(edges[k])), edges[k] >> 2);
        uint vertex = 3u * triangle + k;
        for (int i = 0; i < 3; ++i) {
            positions.numbers[3u * vertex + uint(i)] = at.place[i];
            normals.numbers[3u * vertex + uint(i)] = at.normal[i];
        }
        indices.numbers[vertex] = vertex;
    }
}

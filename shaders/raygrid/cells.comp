#version 460
// Tells which cells each triangle meets: an invocation takes a small triangle, or a column of cells
// of a large one's bounding box along the axis that the triangle looks to. First lists are counted,
// then written; raygrid/triangles has counted small triangles, and remembers the cells of most.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_starts = 0u; // 0: counts

uniform Params {
    uvec3 dims;
    uint triangle_count;
    uint room; // of the lists
    float margin;
} params;

#include "bvh/ray.glsl"
#include "overlap.glsl"
#include "status.glsl"

readonly buffer Frame { vec4 rows[]; } frame;
readonly buffer Leaves { uvec4 quads[]; } leaves;
readonly buffer Before { uint values[]; } before; // parts of all triangles before
readonly buffer PartCount { uint word; } part_count;
readonly buffer Starts { uint values[]; } starts; // of each cell's list, and the end of all
readonly buffer Met { uint words[]; } met_cells;
writeonly buffer List { uint values[]; } list;
buffer Words { uint values[]; } words;
buffer Blocks { uint words[]; } blocks;

vec3 in_cells(uvec4 corner) {
    precise vec3 from = uintBitsToFloat(corner.xyz) - frame.rows[0].xyz;
    precise vec3 cells = from * frame.rows[1].xyz;
    return cells;
}

// The last triangle that begins at part `i` or before.
uint triangle_of(uint i) {
    uint first = 0u;
    uint count = params.triangle_count;
    while (count > 1u) {
        uint half_count = count / 2u;
        if (before.values[first + half_count] <= i) first += half_count;
        count -= half_count;
    }
    return first;
}

// Returns what was there before.
uint set_bit(uint box, uvec2 bit) {
    return atomicOr(blocks.words[2u * box + bit.x], 1u << bit.y);
}

void mark_cell(uvec3 cell) {
    uvec2 bit = bit_of(cell, params.dims);
    atomicOr(words.values[bit.x], 1u << bit.y);
    if (set_bit(block_of(cell, params.dims), bit_in_box(cell)) != 0u) return;
    set_bit(region_of(cell, params.dims), bit_in_box(cell >> kBlockBits));
}

void put_into(uvec3 cell, uint triangle) {
    if (has_starts == 0u) {
        count_in_cell(cell, params.dims);
        return;
    }
    uint key = key_of(cell, params.dims);
    uint left = atomicAdd(counts.values[key], 0xffffffffu);
    uint slot = starts.values[key] + left - 1u;
    if (slot < params.room) list.values[slot] = triangle;
    // One triangle of a cell sets its bits, so that few atomic operations meet in a word.
    if (left == 1u) mark_cell(cell);
}

// Puts a triangle into the cells that raygrid/triangles has found.
void put_into_met(uint triangle, uint low) {
    uint axis = low >> kAxisShift;
    for (uint k = 0u; k < 2u; ++k) {
        uint bits = met_cells.words[3u * triangle + 1u + k];
        while (bits != 0u) {
            int bit = findLSB(bits);
            bits &= bits - 1u;
            ivec3 cell = unpacked_cell(low) + ivec3(bit & 3, bit >> 2 & 3, bit >> 4 | int(k) << 1);
            put_into(uvec3(axis_back(cell, axis)), triangle);
        }
    }
}

void main() {
    uint i = invocation_index();
    if (i >= part_count.word) return;
    if (i == 0u && has_starts != 0u) status.entries = starts.values[starts.values.length() - 1];
    bool all_small = part_count.word == params.triangle_count;
    if (all_small && has_starts == 0u) return;
    uint triangle = all_small ? i : triangle_of(i);
    if (has_starts != 0u) {
        uint low = met_cells.words[3u * triangle];
        if (low != kUnknownCells) {
            put_into_met(triangle, low);
            return;
        }
    }
    uvec4 a = leaves.quads[3u * triangle];
    if (a.w == kNoTriangle) return;
    float grid = float(max(params.dims.x, max(params.dims.y, params.dims.z)));
    Turned t = turn_triangle(in_cells(a), in_cells(leaves.quads[3u * triangle + 1u]),
                             in_cells(leaves.quads[3u * triangle + 2u]), params.dims, params.margin);
    uint columns = columns_of(t);
    bool is_small = parts_of_columns(columns) == 1u;
    if (is_small && has_starts == 0u) return;
    uint first = is_small ? 0u : i - before.values[triangle];
    uint end = is_small ? columns : first + 1u;
    for (uint k = first; k < end; ++k) {
        ivec2 column = column_at(t, k);
        ivec2 met = cells_in_column(t, column, params.margin, grid);
        for (int z = max(met.x, t.low.z); z <= min(met.y, t.high.z); ++z) {
            ivec3 cell = ivec3(column, z);
            if (meets_cell(t, cell, params.margin, grid))
                put_into(uvec3(axis_back(cell, t.axis)), triangle);
        }
    }
}

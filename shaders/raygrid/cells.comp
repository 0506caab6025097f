#version 460
// Tells which cells each triangle meets: an invocation takes a column of cells of a triangle's
// bounding box along the axis that the triangle looks to. First lists are counted, then written.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_starts = 0u; // 0: counts

uniform Params {
    uvec3 dims;
    uint triangle_count;
    uint room; // of the lists
    float margin;
} params;

#include "bits.glsl"
#include "cells.glsl"
#include "overlap.glsl"
#include "status.glsl"

readonly buffer Frame { vec4 rows[]; } frame;
readonly buffer Leaves { uvec4 quads[]; } leaves;
readonly buffer Before { uint values[]; } before; // columns of all triangles before
readonly buffer ColumnCount { uint word; } column_count;
readonly buffer Starts { uint values[]; } starts; // of each cell's list, and the end of all
buffer Counts { uint values[]; } counts; // of a cell: its triangles, or those that are to come
buffer Words { uint values[]; } words;
buffer Blocks { uint values[]; } blocks;
writeonly buffer List { uint values[]; } list;

vec3 corner_of(uint quad) {
    precise vec3 from = uintBitsToFloat(leaves.quads[quad].xyz) - frame.rows[0].xyz;
    precise vec3 cells = from * frame.rows[1].xyz;
    return cells;
}

// The last triangle that begins at column `i` or before.
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

void set_bits(uvec3 cell) {
    uvec2 bit = bit_of(cell, params.dims);
    if ((words.values[bit.x] >> bit.y & 1u) == 0u) atomicOr(words.values[bit.x], 1u << bit.y);
    bit = block_bit_of(cell, params.dims);
    if ((blocks.values[bit.x] >> bit.y & 1u) == 0u) atomicOr(blocks.values[bit.x], 1u << bit.y);
}

void main() {
    uint i = invocation_index();
    if (i >= column_count.word) return;
    if (i == 0u && has_starts != 0u) status.entries = starts.values[starts.values.length() - 1];
    uint triangle = triangle_of(i);
    float grid = float(max(params.dims.x, max(params.dims.y, params.dims.z)));
    Turned t = turn_triangle(corner_of(3u * triangle), corner_of(3u * triangle + 1u),
                             corner_of(3u * triangle + 2u), params.dims, params.margin);
    uint within = i - before.values[triangle];
    uint width = uint(t.high.x - t.low.x + 1);
    ivec2 column = t.low.xy + ivec2(within % width, within / width);
    ivec2 met = cells_in_column(t, column, params.margin, grid);
    for (int z = max(met.x, t.low.z); z <= min(met.y, t.high.z); ++z) {
        ivec3 cell = ivec3(column, z);
        if (!meets_cell(t, cell, params.margin, grid)) continue;
        uvec3 place = uvec3(axis_back(cell, t.axis));
        uint key = key_of(place, params.dims);
        if (has_starts == 0u) {
            atomicAdd(counts.values[key], 1u);
            set_bits(place);
        } else {
            uint slot = starts.values[key] + atomicAdd(counts.values[key], 0xffffffffu) - 1u;
            if (slot < params.room) list.values[slot] = triangle;
        }
    }
}

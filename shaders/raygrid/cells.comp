#version 460
// Counts large triangles in the cells that they meet, a column of cells of their boxes at a time along
// the axis that they look to; then writes the lists of cells, also of the small triangles, whose cells
// raygrid/triangles remembers.
#extension GL_EXT_control_flow_attributes : require

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
readonly buffer LargeCounts { uint words[]; } large_counts; // by size
readonly buffer Large { uint values[]; } large;
readonly buffer Met { uint words[]; } met_cells;
buffer Starts { uint values[]; } starts; // ends of the cells' lists, which come down to their starts
writeonly buffer List { uint values[]; } list;

vec3 in_cells(uvec4 corner) {
    precise vec3 from = uintBitsToFloat(corner.xyz) - frame.rows[0].xyz;
    precise vec3 cells = from * frame.rows[1].xyz;
    return cells;
}

void put_at(uint slot, uint triangle) {
    if (slot < params.room) list.values[slot] = triangle;
}

uint take_slot(uvec3 cell) {
    return atomicAdd(starts.values[key_of(cell, params.dims)], 0xffffffffu) - 1u;
}

void put_small(uint triangle) {
    uint low = met_cells.words[3u * triangle];
    uvec2 bits = uvec2(met_cells.words[3u * triangle + 1u], met_cells.words[3u * triangle + 2u]);
    while ((bits.x | bits.y) != 0u) {
        Cells cells = take_cells(unpacked_cell(low), bits);
        uint slots[kAtOnce];
        [[unroll]] for (uint k = 0u; k < kAtOnce; ++k)
            slots[k] = cells.there[k] ? take_slot(cells.cell[k]) : 0xffffffffu;
        [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) put_at(slots[k], triangle);
    }
}

void put_large(uvec3 cell, uint triangle) {
    if (has_starts != 0u) put_at(take_slot(cell), triangle);
    else if (count_in_cell(cell, params.dims) == 0u) mark_cell(cell, params.dims);
}

// Every `step`th column from `first` on.
void put_columns(uint triangle, uint first, uint step) {
    vec3 a = in_cells(leaves.quads[3u * triangle]);
    vec3 b = in_cells(leaves.quads[3u * triangle + 1u]);
    vec3 c = in_cells(leaves.quads[3u * triangle + 2u]);
    Turned t = turn_triangle(a, b, c, box_of(a, b, c, params.dims, params.margin));
    float grid = float(max(params.dims.x, max(params.dims.y, params.dims.z)));
    for (uint k = first; k < columns_of(t); k += step) {
        ivec2 column = column_at(t, k);
        ivec2 met = cells_in_column(t, column, params.margin, grid);
        for (int z = max(met.x, t.low.z); z <= min(met.y, t.high.z); ++z) {
            ivec3 cell = ivec3(column, z);
            if (meets_cell(t, cell, params.margin, grid))
                put_large(uvec3(axis_back(cell, t.axis)), triangle);
        }
    }
}

// The groups share the large triangles of each size: some groups take one together, or a group some.
void put_all_large() {
    const uint kLanes = gl_WorkGroupSize.x;
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint size = 0u; size < kSizes; ++size) {
        uint count = large_counts.words[size];
        if (count == 0u) continue;
        uint sharers = max(groups / count, 1u);
        for (uint k = group_index(); k / sharers < count; k += groups) {
            uint triangle = large.values[size * params.triangle_count + k / sharers];
            put_columns(triangle, k % sharers * kLanes + gl_LocalInvocationIndex, sharers * kLanes);
        }
    }
}

void main() {
    uint i = invocation_index();
    if (has_starts != 0u) {
        if (i == 0u) status.entries = starts.values[starts.values.length() - 1];
        if (i < params.triangle_count) put_small(i);
    }
    put_all_large();
}

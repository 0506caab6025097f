#version 460
// Brings the triangles of a mesh into a grid's coordinates, counts small ones in the cells that they
// meet and remembers these, tells into how many parts large ones are cut, and keeps corners for tests.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uvec3 dims;
    uint vertex_count;
    uint triangle_count;
    uint room; // of the lists
    float margin;
} params;

#include "bvh/mesh_triangle.glsl"
#include "overlap.glsl"
#include "status.glsl"

readonly buffer Frame { vec4 rows[]; } frame;
writeonly buffer Leaves { uvec4 quads[]; } leaves; // three a triangle
writeonly buffer Parts { uint values[]; } parts; // one, or the columns of a large triangle
writeonly buffer Met { uint words[]; } met_cells; // three a triangle

vec3 in_cells(vec3 p) {
    precise vec3 from = p - frame.rows[0].xyz;
    precise vec3 cells = from * frame.rows[1].xyz;
    return cells;
}

void count_bad(uint kind) {
    if (kind == kDegenerate) atomicAdd(status.degenerate, 1u);
    else if (kind == kNotFinite) atomicAdd(status.not_finite, 1u);
    else atomicAdd(status.bad_index, 1u);
}

void keep(uint i, MetCells met) {
    met_cells.words[3u * i] = met.low;
    met_cells.words[3u * i + 1u] = met.bits[0];
    met_cells.words[3u * i + 2u] = met.bits[1];
}

// The number of parts of triangle `i`.
uint prepare_triangle(uint i) {
    Corners corners = mesh_triangle(i, params.vertex_count);
    if (corners.kind != kProper) {
        leaves.quads[3u * i] = uvec4(0u, 0u, 0u, kNoTriangle);
        keep(i, MetCells(0u, uint[2](0u, 0u)));
        count_bad(corners.kind);
        return 1u;
    }
    leaves.quads[3u * i] = uvec4(floatBitsToUint(corners.a), i);
    leaves.quads[3u * i + 1u] = uvec4(floatBitsToUint(corners.b), i);
    leaves.quads[3u * i + 2u] = uvec4(floatBitsToUint(corners.c), i);
    vec3 a = in_cells(corners.a);
    vec3 b = in_cells(corners.b);
    vec3 c = in_cells(corners.c);
    vec3 least = min(a, min(b, c));
    vec3 most = max(a, max(b, c));
    vec3 slack = vec3(params.margin);
    if (any(lessThan(least, -slack)) || any(greaterThan(most, vec3(params.dims) + slack)))
        atomicAdd(status.outside, 1u);
    float grid = float(max(params.dims.x, max(params.dims.y, params.dims.z)));
    Turned t = turn_triangle(a, b, c, params.dims, params.margin);
    uint columns = columns_of(t);
    uint count = parts_of_columns(columns);
    bool fits = fits_met_cells(t);
    MetCells found = columns == 0u ? MetCells(0u, uint[2](0u, 0u)) : no_met_cells(t);
    for (uint k = 0u; count == 1u && k < columns; ++k) {
        ivec2 column = column_at(t, k);
        ivec2 met = cells_in_column(t, column, params.margin, grid);
        for (int z = max(met.x, t.low.z); z <= min(met.y, t.high.z); ++z) {
            ivec3 cell = ivec3(column, z);
            if (!meets_cell(t, cell, params.margin, grid)) continue;
            count_in_cell(uvec3(axis_back(cell, t.axis)), params.dims);
            if (fits) add_met_cell(found, cell - t.low);
        }
    }
    if (columns != 0u && (count != 1u || !fits)) found.low = kUnknownCells;
    keep(i, found);
    return count;
}

shared uint parts_low; // of the group
shared uint parts_high;

void main() {
    uint i = invocation_index();
    if (gl_LocalInvocationIndex == 0u) {
        parts_low = 0u;
        parts_high = 0u;
    }
    barrier();
    if (i == 0u) status.room = params.room;
    if (i < params.triangle_count) {
        uint count = prepare_triangle(i);
        parts.values[i] = count;
        uint before = atomicAdd(parts_low, count);
        if (before + count < before) atomicAdd(parts_high, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u || parts_low + parts_high == 0u) return;
    uint before = atomicAdd(status.parts[0], parts_low);
    uint carry = parts_high + uint(before + parts_low < before);
    if (carry != 0u) atomicAdd(status.parts[1], carry);
}

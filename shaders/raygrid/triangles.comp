#version 460
// Brings the triangles of a mesh into a grid's coordinates, counts small ones in the cells that they
// meet and remembers these, lists large ones, and keeps corners for tests.
#extension GL_EXT_control_flow_attributes : require

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
buffer LargeCounts { uint words[]; } large_counts; // by size
writeonly buffer Large { uint values[]; } large; // numbers of triangles: of each size, room for all
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

void keep(uint i, uint low, uvec2 bits) {
    met_cells.words[3u * i] = low;
    met_cells.words[3u * i + 1u] = bits.x;
    met_cells.words[3u * i + 2u] = bits.y;
}

// The number of columns of triangle `i` if it is large, else 0.
uint prepare_triangle(uint i) {
    Corners corners = mesh_triangle(i, params.vertex_count);
    if (corners.kind != kProper) {
        leaves.quads[3u * i] = uvec4(0u, 0u, 0u, kNoTriangle);
        keep(i, 0u, uvec2(0u));
        count_bad(corners.kind);
        return 0u;
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
    CellBox box = box_of(a, b, c, params.dims, params.margin);
    if (is_empty(box)) {
        keep(i, 0u, uvec2(0u));
        return 0u;
    }
    if (!is_small(box)) {
        keep(i, 0u, uvec2(0u));
        return columns_of(turn_triangle(a, b, c, box));
    }
    float grid = float(max(params.dims.x, max(params.dims.y, params.dims.z)));
    vec3 low = vec3(box.low);
    uvec2 bits = small_cells(a - low, b - low, c - low, box.high - box.low + 1, params.margin, grid);
    keep(i, packed_cell(box.low), bits);
    while ((bits.x | bits.y) != 0u) {
        Cells cells = take_cells(box.low, bits);
        uint before[kAtOnce];
        [[unroll]] for (uint k = 0u; k < kAtOnce; ++k)
            before[k] = cells.there[k] ? count_in_cell(cells.cell[k], params.dims) : 1u;
        [[unroll]] for (uint k = 0u; k < kAtOnce; ++k)
            if (before[k] == 0u) mark_cell(cells.cell[k], params.dims);
    }
    return 0u;
}

// Of the group:
shared uint listed[kSizes];
shared uint first_listed[kSizes];
shared uint more_parts; // than triangles: no more than 2^26

void add_parts(uint count) {
    uint low = atomicAdd(status.parts[0], count);
    if (low + count < low) atomicAdd(status.parts[1], 1u);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint i = invocation_index();
    if (lane < kSizes) listed[lane] = 0u;
    if (lane == 0u) more_parts = 0u;
    barrier();
    uint columns = i < params.triangle_count ? prepare_triangle(i) : 0u;
    uint size = size_of_columns(columns);
    uint place = 0u;
    if (columns != 0u) {
        place = atomicAdd(listed[size], 1u);
        atomicAdd(more_parts, columns - 1u);
    }
    barrier();
    if (lane < kSizes && listed[lane] != 0u)
        first_listed[lane] = atomicAdd(large_counts.words[lane], listed[lane]);
    if (lane == 0u && more_parts != 0u) add_parts(more_parts);
    if (i == 0u) {
        add_parts(params.triangle_count);
        status.room = params.room;
    }
    barrier();
    if (columns != 0u) large.values[size * params.triangle_count + first_listed[size] + place] = i;
}

#version 460
// Brings the triangles of a mesh into a grid's coordinates, counts the columns of cells of their
// bounding boxes, and keeps their corners for tests.

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
writeonly buffer Columns { uint values[]; } columns;

vec3 in_cells(vec3 p) {
    precise vec3 from = p - frame.rows[0].xyz;
    precise vec3 cells = from * frame.rows[1].xyz;
    return cells;
}

void count_columns(uint count) {
    uint low = atomicAdd(status.columns[0], count);
    if (low + count < low) atomicAdd(status.columns[1], 1u);
}

void main() {
    uint i = invocation_index();
    if (i == 0u) status.room = params.room;
    if (i >= params.triangle_count) return;
    Corners corners = mesh_triangle(i, params.vertex_count);
    if (corners.kind != kProper) {
        columns.values[i] = 0u;
        if (corners.kind == kDegenerate) atomicAdd(status.degenerate, 1u);
        else if (corners.kind == kNotFinite) atomicAdd(status.not_finite, 1u);
        else atomicAdd(status.bad_index, 1u);
        return;
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
    uint count = columns_of(turn_triangle(a, b, c, params.dims, params.margin));
    columns.values[i] = count;
    if (count != 0u) count_columns(count);
}

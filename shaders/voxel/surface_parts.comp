#version 460
// The rows of large triangles: a group takes parts of them in turn, and then whole ones.

layout(local_size_x = 64) in;

uniform Params {
    uvec3 dims;
    uint vertices;
    uint room; // for parts
} params;

#include "voxel/grid.glsl"
#include "triangles.glsl"
#include "overlap.glsl"
#include "parts.glsl"

readonly buffer Parts { uint words[]; } parts;
readonly buffer PartList { uint words[]; } part_list;

#include "clip.glsl"
#include "set_voxels.glsl"

const uint kAllRows = 0xffffffffu;

void set_rows(Corners corners, uint first_row, uint row_count) {
    Box box = clipped(bounds_of(corners), params.dims);
    if (is_empty(box)) return;
    ivec3 origin = 256 * box.low;
    Overlap o = overlap_of(Corners(corners.a - origin, corners.b - origin, corners.c - origin));
    uvec3 size = uvec3(box.high - box.low + 1);
    uint end = row_count < kAllRows ? min(first_row + row_count, size.x * size.y) : size.x * size.y;
    for (uint row = first_row + gl_LocalInvocationIndex; row < end; row += gl_WorkGroupSize.x) {
        uvec2 b = uvec2(row / size.y, row % size.y);
        ivec2 met = met_in_row(o, ivec2(b), int(size.z));
        if (met.x > met.y) continue;
        uint first = row_of(params.dims, uint(box.low.x) + b.x, uint(box.low.y) + b.y);
        set_interval(first, uvec2(met + box.low.z));
    }
}

// Of a triangle that has to be cut off, a piece is a triangle of what remains.
Corners piece_of(vec3 corners[3], uint piece) {
    Polygon polygon = polygon_of(corners);
    for (int axis = 0; axis < 3; ++axis) polygon = clip_both(polygon, axis);
    return triangle_of(polygon, int(piece));
}

void set_part(uint triangle, uint part) {
    vec3 corners[3];
    uint fate = place_triangle(triangle, params.vertices, corners);
    if (fate == kKept) {
        set_rows(in_slab(corners), part * kRowsOfPart, kRowsOfPart);
    } else if (fate == kFar) {
        uint each = parts_of(ivec3(params.dims));
        set_rows(piece_of(corners, part / each), part % each * kRowsOfPart, kRowsOfPart);
    }
}

void set_whole(uint triangle) {
    vec3 corners[3];
    uint fate = place_triangle(triangle, params.vertices, corners);
    if (fate == kKept) {
        set_rows(in_slab(corners), 0u, kAllRows);
    } else if (fate == kFar) {
        for (uint piece = 0u; piece < kPieces; ++piece)
            set_rows(piece_of(corners, piece), 0u, kAllRows);
    }
}

void main() {
    uint part_count = min(parts.words[kPartCount], params.room);
    for (uint i = gl_WorkGroupID.x; i < part_count; i += gl_NumWorkGroups.x) {
        uint triangle = part_list.words[2u * i];
        if (triangle != kNoTriangle) set_part(triangle, part_list.words[2u * i + 1u]);
    }
    uint whole_count = parts.words[kWholeCount];
    for (uint i = gl_WorkGroupID.x; i < whole_count; i += gl_NumWorkGroups.x)
        set_whole(part_list.words[2u * params.room + i]);
}

#version 460
// The rows of large triangles: a group takes parts of them in turn, and then whole ones.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 64) in;

uniform Params {
    uvec3 dims;
    uint vertices;
    uint room; // for parts
} params;

#include "voxel/grid.glsl"
#include "voxel/triangles.glsl"
#include "voxel/overlap.glsl"
#include "voxel/large_surface.glsl"
#include "voxel/parts.glsl"

readonly buffer Parts { uint words[]; } parts;
readonly buffer PartList { uint words[]; } part_list;
buffer Words { uint values[]; } words;

#include "voxel/set_voxels.glsl"

void set_rows(uint triangle, uint first_row, uint row_count) {
    Corners corners;
    uint fate = load_triangle(triangle, params.vertices, corners);
    if (fate != kKept) return; // it is not in the list
    Box box = clipped(bounds_of(corners), params.dims);
    ivec3 origin = 256 * box.low;
    Overlap o = overlap_of(Corners(corners.a - origin, corners.b - origin, corners.c - origin));
    uvec3 size = uvec3(box.high - box.low + 1);
    uint end = min(first_row + row_count, size.x * size.y);
    for (uint row = first_row + gl_LocalInvocationIndex; row < end; row += gl_WorkGroupSize.x) {
        uvec2 b = uvec2(row / size.y, row % size.y);
        ivec2 met = met_in_row(o, ivec2(b), int(size.z));
        if (met.x > met.y) continue;
        uint first = row_of(params.dims, uint(box.low.x) + b.x, uint(box.low.y) + b.y);
        set_interval(first, uvec2(met + box.low.z));
    }
}

void main() {
    uint part_count = min(parts.words[kPartCount], params.room);
    for (uint i = gl_WorkGroupID.x; i < part_count; i += gl_NumWorkGroups.x) {
        uint triangle = part_list.words[2u * i];
        if (triangle == kNoTriangle) continue;
        set_rows(triangle, part_list.words[2u * i + 1u] * kRowsOfPart, kRowsOfPart);
    }
    uint whole_count = parts.words[kWholeCount];
    for (uint i = gl_WorkGroupID.x; i < whole_count; i += gl_NumWorkGroups.x)
        set_rows(part_list.words[2u * params.room + i], 0u, 0xffffffffu);
}

#version 460
// The columns of large triangles: a group takes parts of them in turn, and then whole ones.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 64) in;

uniform Params {
    uvec3 dims;
    uint vertices;
    uint room; // for parts
} params;

#include "voxel/grid.glsl"
#include "voxel/triangles.glsl"
#include "voxel/columns.glsl"
#include "voxel/large_columns.glsl"
#include "voxel/parts.glsl"

readonly buffer Parts { uint words[]; } parts;
readonly buffer PartList { uint words[]; } part_list;
buffer Words { uint values[]; } words;
buffer Guard { uint values[]; } guard;

#include "voxel/flip.glsl"

void flip_units(uint triangle, uint first, uint count) {
    Corners corners;
    uint fate = load_triangle(triangle, params.vertices, corners);
    if (fate != kKept) return; // it is not in the list
    Columns c = columns_of(
        ivec3[3](to_columns(corners.a), to_columns(corners.b), to_columns(corners.c)), params.dims);
    uvec2 units = units_of(c);
    uint end = min(first + count, units.x * units.y);
    for (uint unit = first + gl_LocalInvocationIndex; unit < end; unit += gl_WorkGroupSize.x)
        flip_unit(c, int(unit / units.y), int(unit % units.y));
}

void main() {
    uint part_count = min(parts.words[kPartCount], params.room);
    for (uint i = gl_WorkGroupID.x; i < part_count; i += gl_NumWorkGroups.x) {
        uint triangle = part_list.words[2u * i];
        if (triangle == kNoTriangle) continue;
        flip_units(triangle, part_list.words[2u * i + 1u] * kUnitsOfPart, kUnitsOfPart);
    }
    uint whole_count = parts.words[kWholeCount];
    for (uint i = gl_WorkGroupID.x; i < whole_count; i += gl_NumWorkGroups.x)
        flip_units(part_list.words[2u * params.room + i], 0u, 0xffffffffu);
}

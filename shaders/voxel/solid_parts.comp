#version 460
// The columns of large triangles: a group takes parts of them in turn, and then whole ones.

layout(local_size_x = 64) in;

uniform Params {
    uvec3 dims;
    uint vertices;
    uint room; // for parts
} params;

#include "triangles.glsl"
#include "columns.glsl"
#include "parts.glsl"

readonly buffer Parts { uint words[]; } parts;
readonly buffer PartList { uint words[]; } part_list;

#include "clip.glsl"
#include "flip.glsl"

const uint kAllUnits = 0xffffffffu;

void flip_units(ivec3 corners[3], uint first, uint count) {
    Columns c = columns_of(corners, params.dims);
    uvec2 units = units_of(c);
    uint all = units.x * units.y;
    uint end = count < kAllUnits ? min(first + count, all) : all;
    for (uint unit = first + gl_LocalInvocationIndex; unit < end; unit += gl_WorkGroupSize.x) {
        int row = int(unit / units.y);
        int word = int(unit % units.y);
        flip_unit(c, row, word, covered(c, row, word), params.dims);
    }
}

ivec3[3] in_columns(Corners t) {
    return ivec3[3](to_columns(t.a), to_columns(t.b), to_columns(t.c));
}

// What is left of a triangle within kFarthest of the grid's corner, across the columns. Along them
// it has three parts: what is beyond on either side is made flat.
ivec3[3] piece_of(vec3 corners[3], uint piece) {
    int along = int(kAxis);
    Polygon polygon = polygon_of(corners);
    for (int axis = 0; axis < 3; ++axis)
        if (axis != along) polygon = clip_both(polygon, axis);
    uint band = piece / kTrianglesOfPolygon;
    if (band == 0u) {
        polygon = clip_both(polygon, along);
    } else {
        float plane = band == 1u ? kFarthest : -kFarthest;
        polygon = clip(polygon, along, plane, band == 1u ? -1.0 : 1.0);
        for (int i = 0; i < polygon.count; ++i) polygon.corners[i][along] = plane;
    }
    return in_columns(triangle_of(polygon, int(piece % kTrianglesOfPolygon)));
}

void flip_part(uint triangle, uint part) {
    vec3 corners[3];
    uint fate = place_triangle(triangle, params.vertices, corners);
    if (fate == kKept) {
        flip_units(in_columns(in_slab(corners)), part * kUnitsOfPart, kUnitsOfPart);
    } else if (fate == kFar) {
        uint each = parts_of_grid(params.dims);
        flip_units(piece_of(corners, part / each), part % each * kUnitsOfPart, kUnitsOfPart);
    }
}

void flip_whole(uint triangle) {
    vec3 corners[3];
    uint fate = place_triangle(triangle, params.vertices, corners);
    if (fate == kKept) {
        flip_units(in_columns(in_slab(corners)), 0u, kAllUnits);
    } else if (fate == kFar) {
        for (uint piece = 0u; piece < kPieces; ++piece)
            flip_units(piece_of(corners, piece), 0u, kAllUnits);
    }
}

void main() {
    uint part_count = min(parts.words[kPartCount], params.room);
    for (uint i = gl_WorkGroupID.x; i < part_count; i += gl_NumWorkGroups.x) {
        uint triangle = part_list.words[2u * i];
        if (triangle != kNoTriangle) flip_part(triangle, part_list.words[2u * i + 1u]);
    }
    uint whole_count = parts.words[kWholeCount];
    for (uint i = gl_WorkGroupID.x; i < whole_count; i += gl_NumWorkGroups.x)
        flip_whole(part_list.words[2u * params.room + i]);
}

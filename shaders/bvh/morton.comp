#version 460
// The place of each triangle on a curve through the box of all: the bits of its cell's coordinates,
// interleaved. Triangles that rays cannot hit come after all others.

layout(local_size_x = 256) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint wide = 0u;       // 1: codes of 60 bits, the low word first
layout(constant_id = 1) const uint by_extents = 0u; // 1: each bit halves the longest side of a cell

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "bvh/mesh_triangle.glsl"
#include "place.glsl"

readonly buffer Box { uint words[]; } box;
writeonly buffer Codes { uint values[]; } codes;

// Bits 0 to 9 to every third bit.
uint spread(uint v) {
    v = (v | v << 16u) & 0x030000ffu;
    v = (v | v << 8u) & 0x0300f00fu;
    v = (v | v << 4u) & 0x030c30c3u;
    return (v | v << 2u) & 0x09249249u;
}
uint interleaved(uvec3 v) {
    return spread(v.x) << 2u | spread(v.y) << 1u | spread(v.z);
}

// The coordinates of a cell, in [0, cells).
uvec3 cell_of(vec3 middle, vec3 low, vec3 extent, float cells) {
    uvec3 cell;
    for (uint axis = 0u; axis < 3u; ++axis) {
        precise float scaled = (middle[axis] - low[axis]) / extent[axis] * cells;
        // Comparisons are false for what is no number, where the extent is 0 or infinite.
        cell[axis] = scaled >= 0.0 ? scaled < cells ? uint(scaled) : uint(cells) - 1u : 0u;
        if (!(extent[axis] > 0.0)) cell[axis] = 0u;
    }
    return cell;
}

// Two words, the low one first, of 30 bits each.
uvec2 code_by_extents(vec3 middle, vec3 low, vec3 extent) {
    uvec3 cell = cell_of(middle, low, extent, 16777216.0) << 8u; // the next bit highest
    vec3 side = extent;
    uvec2 code = uvec2(0u);
    uint bits = wide != 0u ? 60u : 30u;
    for (uint i = 0u; i < bits; ++i) {
        uint axis = side.x >= side.y && side.x >= side.z ? 0u : side.y >= side.z ? 1u : 2u;
        uint bit = (axis == 0u ? cell.x : axis == 1u ? cell.y : cell.z) >> 31u;
        bvec3 chosen = equal(uvec3(axis), uvec3(0u, 1u, 2u));
        cell = mix(cell, cell << 1u, chosen);
        side = mix(side, 0.5 * side, chosen);
        if (i < 30u) code.y = code.y << 1u | bit;
        else code.x = code.x << 1u | bit;
    }
    return wide != 0u ? code : code.yx;
}

uvec2 code_of(vec3 middle, vec3 low, vec3 extent) {
    if (by_extents != 0u) return code_by_extents(middle, low, extent);
    if (wide == 0u) return uvec2(interleaved(cell_of(middle, low, extent, 1024.0)), 0u);
    uvec3 cell = cell_of(middle, low, extent, 1048576.0);
    return uvec2(interleaved(cell & 1023u), interleaved(cell >> 10u));
}

void main() {
    uint i = invocation_index();
    if (i >= params.triangle_count) return;
    Corners corners = mesh_triangle(i, params.vertex_count);
    uvec2 code = uvec2(0x3fffffffu, 0x7fffffffu); // after all others
    if (wide == 0u) code.x = 0x7fffffffu;
    if (corners.kind == kProper) {
        vec3 low = from_ordered(~uvec3(box.words[0], box.words[1], box.words[2]));
        vec3 high = from_ordered(uvec3(box.words[3], box.words[4], box.words[5]));
        code = code_of(centroid_of(corners), low, high - low);
    }
    if (wide != 0u) {
        codes.values[2u * i] = code.x | code.y << 30u;
        codes.values[2u * i + 1u] = code.y >> 2u;
    } else {
        codes.values[i] = code.x;
    }
}

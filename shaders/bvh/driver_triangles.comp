#version 460
// The triangles of a mesh as the device's acceleration structures take them: three corners each, all
// at one point where rays cannot hit it. (Vulkan leaves out those whose first coordinates are no
// numbers, too, but beside such llvmpipe of Mesa 25.0 loses all others.)

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "bvh/mesh_triangle.glsl"

writeonly buffer CornersOf { uint values[]; } corners_of;

void write_corner(uint at, vec3 corner, bool proper) {
    for (uint axis = 0u; axis < 3u; ++axis)
        corners_of.values[at + axis] = proper ? floatBitsToUint(corner[axis]) : 0u;
}

void main() {
    uint i = invocation_index();
    if (i >= params.triangle_count) return;
    Corners corners = mesh_triangle(i, params.vertex_count);
    bool proper = corners.kind == kProper;
    write_corner(9u * i, corners.a, proper);
    write_corner(9u * i + 3u, corners.b, proper);
    write_corner(9u * i + 6u, corners.c, proper);
}

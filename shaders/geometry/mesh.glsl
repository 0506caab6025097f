#ifndef GEOMETRY_MESH
#define GEOMETRY_MESH
// The triangles of a mesh whose vertices geometry/raster_vertices has placed.
#include "params.glsl"
#include "screen.glsl"
#include "status.glsl"

readonly buffer Screen { ivec4 vertices[]; } screen;
readonly buffer Indices { uint values[]; } indices;

// What becomes of a triangle.
const uint kDraw = 0xffffffffu; // its vertices are on the screen,
const uint kClip = 0xfffffffeu; // or some cannot be placed;
const uint kUnseen = 0xfffffffdu; // or it is outside of the view. Others are words of the status.

struct Corners {
    ivec4 a;
    ivec4 b;
    ivec4 c;
};

uvec3 corners_of(uint triangle) {
    return uvec3(indices.values[3u * triangle], indices.values[3u * triangle + 1u],
                 indices.values[3u * triangle + 2u]);
}

int outside_of(ivec4 vertex) {
    return vertex.x == kUnplaced ? vertex.y : sides_outside_screen(vertex.xy, params.size);
}

uint load_triangle(uint triangle, out Corners corners) {
    uvec3 at = corners_of(triangle);
    bool known = all(lessThan(at, uvec3(params.vertices)));
    at = known ? at : uvec3(0u);
    corners = Corners(screen.vertices[at.x], screen.vertices[at.y], screen.vertices[at.z]);
    if (!known) return kBadIndex;
    int a = outside_of(corners.a);
    int b = outside_of(corners.b);
    int c = outside_of(corners.c);
    bool placed = corners.a.x != kUnplaced && corners.b.x != kUnplaced && corners.c.x != kUnplaced;
    if (!placed && ((a | b | c) & kOutNotFinite) != 0) return kNotFinite;
    if ((a & b & c) != 0) return kUnseen;
    return placed ? kDraw : kClip;
}

#endif

#ifndef GEOMETRY_POLYGON
#define GEOMETRY_POLYGON
// What is left of a triangle once it is cut off at the planes that vertices on the screen must keep
// to.
//
// An edge is cut at a point that is computed from its inner end towards its outer one: two triangles
// that share the edge find the same.

#include "params.glsl"
#include "screen.glsl"

readonly buffer Positions { float values[]; } positions;

const int kClipPlanes = 7;
const int kMaxVertices = 3 + kClipPlanes;

// One triangle of the group is clipped at a time. Arrays of an invocation's own that are indexed by
// variables are slow, and take llvmpipe minutes to compile.
shared vec4 clip_vertices[2][kMaxVertices];
shared int polygon_count;
shared ivec4 polygon[kMaxVertices]; // on the screen

vec4 clip_position(uint vertex) {
    return to_clip(params.clip_from_mesh,
                   vec3(positions.values[3u * vertex], positions.values[3u * vertex + 1u],
                        positions.values[3u * vertex + 2u]));
}

// Positive inside.
float above_plane(vec4 p, int plane) {
    precise float height;
    if (plane == 0) height = p.w - kLeastW;
    if (plane == 1) height = p.z;
    if (plane == 2) height = p.w - p.z;
    if (plane > 2) {
        bool x = plane < 5;
        float middle = (x ? float(params.size.x) : float(params.size.y)) * (0.5 * float(kFraction));
        precise float place = (x ? p.x : p.y) * middle;
        bool low = plane == 3 || plane == 5;
        // A little inside of where screen coordinates end, for quotients are rounded.
        float most = kFarthest - 2.0;
        precise float limit = p.w * (low ? most + middle : most - middle);
        height = low ? limit + place : limit - place;
    }
    return height;
}

vec4 cut(vec4 inner, float above, vec4 outer, float below) {
    precise float whole = above - below;
    precise float share = divide(above, whole, divides_by_fma(params.size));
    precise vec4 along = outer - inner;
    precise vec4 moved = along * share;
    precise vec4 place = inner + moved;
    return place;
}

// Of `count` vertices of one array into the other; returns how many remain.
int clip_at(int plane, int from, int count) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        vec4 p = clip_vertices[from][i];
        vec4 q = clip_vertices[from][i + 1 < count ? i + 1 : 0];
        float above_p = above_plane(p, plane);
        float above_q = above_plane(q, plane);
        bool p_inside = above_p >= 0.0;
        bool q_inside = above_q >= 0.0;
        if (p_inside && kept < kMaxVertices) clip_vertices[1 - from][kept++] = p;
        if (p_inside != q_inside && kept < kMaxVertices)
            clip_vertices[1 - from][kept++] =
                p_inside ? cut(p, above_p, q, above_q) : cut(q, above_q, p, above_p);
    }
    return kept;
}

// Makes `polygon` of a triangle's vertices. All invocations of the group must call it.
void make_polygon(uvec3 at) {
    barrier(); // for those that still read the one before
    if (gl_LocalInvocationIndex == 0u) {
        for (int i = 0; i < 3; ++i) clip_vertices[0][i] = clip_position(at[i]);
        int count = 3;
        for (int plane = 0; plane < kClipPlanes; ++plane) count = clip_at(plane, plane & 1, count);
        for (int i = 0; i < count; ++i) {
            vec4 p = clip_vertices[kClipPlanes & 1][i];
            polygon[i] = on_screen(p, to_screen(p, params.size), params.size);
        }
        polygon_count = count;
    }
    barrier();
}

#endif

// What is left of a triangle once it is cut off at the planes that vertices on the screen must keep
// to. Include raster/params.glsl and raster/screen.glsl before.
//
// An edge is cut at a point that is computed from its inner end towards its outer one: two triangles
// that share the edge find the same.

readonly buffer Positions { float values[]; } positions;

const int kClipPlanes = 7;
const int kMostVertices = 3 + kClipPlanes;

struct Polygon {
    vec4 vertices[kMostVertices];
    int count;
};

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
    precise float share = above / whole;
    precise vec4 along = outer - inner;
    precise vec4 moved = along * share;
    precise vec4 place = inner + moved;
    return place;
}

Polygon clipped(Polygon source, int plane) {
    Polygon result;
    result.count = 0;
    for (int i = 0; i < source.count; ++i) {
        vec4 p = source.vertices[i];
        vec4 q = source.vertices[i + 1 < source.count ? i + 1 : 0];
        float above_p = above_plane(p, plane);
        float above_q = above_plane(q, plane);
        if (above_p >= 0.0 && result.count < kMostVertices) result.vertices[result.count++] = p;
        if (above_p >= 0.0 != above_q >= 0.0 && result.count < kMostVertices)
            result.vertices[result.count++] =
                above_p >= 0.0 ? cut(p, above_p, q, above_q) : cut(q, above_q, p, above_p);
    }
    return result;
}

Polygon polygon_of(uvec3 at) {
    Polygon polygon;
    polygon.vertices[0] = clip_position(at.x);
    polygon.vertices[1] = clip_position(at.y);
    polygon.vertices[2] = clip_position(at.z);
    polygon.count = 3;
    for (int plane = 0; plane < kClipPlanes; ++plane) polygon = clipped(polygon, plane);
    return polygon;
}

ivec4 polygon_vertex(vec4 clip) {
    return on_screen(clip, to_screen(clip, params.size));
}

// Cuts off what of a triangle is more than kFarthest away from the grid's corner. Neighbours are cut
// alike at their common edge, so that no gap opens.
#include "triangles.glsl"

const int kMaxCorners = 9; // three, and one more for each of six planes

struct Polygon {
    int count;
    vec3 corners[kMaxCorners];
};

bool comes_before(vec3 a, vec3 b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Where the edge passes the plane, the same from either end.
vec3 crossing(vec3 a, vec3 b, int axis, float plane) {
    vec3 from = comes_before(a, b) ? a : b;
    vec3 to = comes_before(a, b) ? b : a;
    precise float t = (plane - from[axis]) / (to[axis] - from[axis]);
    precise vec3 along = t * (to - from);
    precise vec3 place = floor(from + along + 0.5);
    place[axis] = plane;
    return place;
}

// What lies on the side of the plane where `side` * (coordinate - plane) <= 0.
Polygon clip(Polygon source, int axis, float plane, float side) {
    Polygon result;
    result.count = 0;
    for (int i = 0; i < source.count; ++i) {
        vec3 a = source.corners[i];
        vec3 b = source.corners[i + 1 == source.count ? 0 : i + 1];
        bool a_inside = side * (a[axis] - plane) <= 0.0;
        bool b_inside = side * (b[axis] - plane) <= 0.0;
        if (a_inside && result.count < kMaxCorners) result.corners[result.count++] = a;
        if (a_inside != b_inside && result.count < kMaxCorners)
            result.corners[result.count++] = crossing(a, b, axis, plane);
    }
    return result;
}

Polygon clip_both(Polygon source, int axis) {
    return clip(clip(source, axis, kFarthest, 1.0), axis, -kFarthest, -1.0);
}

Polygon polygon_of(vec3 corners[3]) {
    Polygon p;
    p.count = 3;
    for (int i = 0; i < 3; ++i) p.corners[i] = corners[i];
    return p;
}

// A triangle of the fan; where there are fewer, a point outside every grid.
Corners triangle_of(Polygon p, int i) {
    const ivec3 kOutside = ivec3(-kFraction);
    if (i + 2 >= p.count) return Corners(kOutside, kOutside, kOutside);
    return in_slab(vec3[3](p.corners[0], p.corners[i + 1], p.corners[i + 2]));
}

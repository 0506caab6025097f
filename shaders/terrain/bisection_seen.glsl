// Whether a triangle, with its heights, may lie in the view. Above: terrain/surface.glsl, bisection.glsl.
#ifndef TERRAIN_BISECTION_SEEN
#define TERRAIN_BISECTION_SEEN

// Whether something may lie in the view, by its six planes: dot(plane, (p, 1)) is positive inside, and
// the normals have length 1.

bool box_may_be_seen(vec3 low, vec3 high, vec4 planes[6]) {
    vec3 middle = 0.5 * (low + high);
    vec3 half_size = 0.5 * (high - low);
    for (int i = 0; i < 6; ++i) {
        float away = dot(planes[i].xyz, middle) + planes[i].w;
        float reach = dot(abs(planes[i].xyz), half_size);
        // Sums of what may be much larger than they are.
        float rounding = 1e-6 * (dot(abs(planes[i].xyz), abs(middle)) + abs(planes[i].w));
        if (away < -reach - rounding) return false;
    }
    return true;
}

bool sphere_may_be_seen(vec3 middle, float radius, vec4 planes[6]) {
    for (int i = 0; i < 6; ++i) {
        float away = dot(planes[i].xyz, middle) + planes[i].w;
        float rounding = 1e-6 * (dot(abs(planes[i].xyz), abs(middle)) + abs(planes[i].w));
        if (away < -radius - rounding) return false;
    }
    return true;
}

bool triangle_may_be_seen(Triangle t, uint level, vec4 planes[6], vec2 bounds, SurfaceTerms terms) {
    if (is_ground()) {
        vec2 y = triangle_bounds(t, level, bounds, terms);
        vec3 a = ground_base(vec2(t.a) * kPlaceUnit, terms);
        vec3 b = ground_base(vec2(t.b) * kPlaceUnit, terms);
        vec3 c = ground_base(vec2(t.c) * kPlaceUnit, terms);
        vec3 low = min(a, min(b, c));
        vec3 high = max(a, max(b, c));
        return box_may_be_seen(vec3(low.x, y.x, low.z), vec3(high.x, y.y, high.z), planes);
    }
    // A sphere about the middle and the corners, and a quarter more.
    vec3 middle = vec3(0.0);
    float radius = 0.0;
    for (int i = 0; i < 4; ++i) {
        uvec2 place = i == 1 ? t.a : i == 2 ? t.b : t.c;
        if (i == 0) place = (t.a >> 1u) + (t.c >> 1u);
        vec3 point = surface_at(t.face, place, terms);
        if (i == 0) middle = point;
        radius = max(radius, distance(point, middle));
    }
    return sphere_may_be_seen(middle, 1.25 * radius, planes);
}

#endif

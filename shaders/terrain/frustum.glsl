// Whether something may lie in the view, by its six planes: dot(plane, (p, 1)) is positive inside, and
// the normals have length 1.
#ifndef TERRAIN_FRUSTUM
#define TERRAIN_FRUSTUM

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

#endif

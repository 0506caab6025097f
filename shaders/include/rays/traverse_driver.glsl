// Rays through an acceleration structure of the device's. It finds candidates; whether and where one
// is hit, our own test says, so hits are those of all other traversals but where the device does not
// call a triangle a candidate that the ray meets in its edge. Included by rays/traverse.glsl.

uniform accelerationStructureEXT driver_scene;

// By how much the device's t may differ from ours, as a share of the coordinates that it comes from.
const float kDriverSlack = 1.52587890625e-5; // 2^-16

// What a ray must be for the device.
bool is_traceable(Ray ray) {
    return is_finite(ray.origin) && is_finite(ray.direction) && ray.direction != vec3(0.0) &&
           ray.t_max >= 0.0;
}

bool meet_candidate(PreparedRay ray, uint id, inout Hit best) {
    Corners corners = mesh_triangle(id);
    ++ray_work.y;
    if (corners.kind != kProper) return false;
    uint before = best.triangle;
    meet_triangle(ray, corners.a, corners.b, corners.c, id, best);
    return best.triangle != before;
}

float slack_at(Ray ray, float t) {
    vec3 place = abs(ray.origin);
    vec3 size = abs(ray.direction);
    float far = max(place.x, max(place.y, place.z)) / max(size.x, max(size.y, size.z));
    return kDriverSlack * (t + far);
}

Hit traverse(Ray ray, bool any) {
    PreparedRay prepared = prepare(ray);
    Hit best = no_hit(ray);
    if (!is_traceable(ray)) return best;
    float longest = ray.t_max + slack_at(ray, min(ray.t_max, 1e30));
    rayQueryEXT nearest;
    rayQueryInitializeEXT(nearest, driver_scene, gl_RayFlagsNoOpaqueEXT, 0xffu, ray.origin, 0.0,
                          ray.direction, longest);
    while (rayQueryProceedEXT(nearest)) {
        uint id = uint(rayQueryGetIntersectionPrimitiveIndexEXT(nearest, false));
        if (!meet_candidate(prepared, id, best)) continue;
        if (any) return best;
        rayQueryConfirmIntersectionEXT(nearest);
    }
    if (best.triangle == kNoTriangle) return best;
    // What the device took to be farther may be as near, or nearer, by our test: none of these is
    // confirmed, so all of them are seen.
    float slack = slack_at(ray, best.t);
    rayQueryEXT around;
    rayQueryInitializeEXT(around, driver_scene, gl_RayFlagsNoOpaqueEXT, 0xffu, ray.origin,
                          max(best.t - slack, 0.0), ray.direction, best.t + slack);
    while (rayQueryProceedEXT(around)) {
        uint id = uint(rayQueryGetIntersectionPrimitiveIndexEXT(around, false));
        meet_candidate(prepared, id, best);
    }
    return best;
}

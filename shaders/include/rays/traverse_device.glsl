// Traversal of the device's own hierarchy by a ray query. Included by rays/traverse.glsl; the kernel
// asks for GL_EXT_ray_query.
//
// The device finds the triangle, and its hit is computed as all others are. So hits are the same to
// the bit, but for ties: of triangles that share an edge, or lie on each other, the device takes one
// as it likes.
uniform accelerationStructureEXT bvh_top;

const float kFarthest = 3.4028234e38;

// Vulkan wants numbers.
bool may_be_asked(Ray ray) {
    return is_finite(ray.origin) && is_finite(ray.direction) &&
           any(notEqual(ray.direction, vec3(0.0))) && ray.t_max >= 0.0;
}

Hit traverse_device(Ray ray, bool any) {
    Hit best = no_hit(ray);
    if (!may_be_asked(ray)) return best;
    // Opaque first, for that is fastest; again, triangle by triangle, where a ray hits the one that
    // it leaves.
    uint flags = gl_RayFlagsOpaqueEXT | (any ? gl_RayFlagsTerminateOnFirstHitEXT : 0u);
    rayQueryEXT query;
    uint id;
    while (true) {
        rayQueryInitializeEXT(query, bvh_top, flags, 0xffu, ray.origin, 0.0, ray.direction,
                              min(ray.t_max, kFarthest));
        while (rayQueryProceedEXT(query))
            if (uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, false)) != ray.leaves)
                rayQueryConfirmIntersectionEXT(query);
        if (rayQueryGetIntersectionTypeEXT(query, true) ==
            gl_RayQueryCommittedIntersectionNoneEXT)
            return best;
        id = uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, true));
        if (id != ray.leaves) break;
        flags ^= gl_RayFlagsOpaqueEXT | gl_RayFlagsNoOpaqueEXT;
    }
    Corners corners = mesh_triangle(id);
    meet_triangle(prepare(ray), corners.a, corners.b, corners.c, id, best);
    ++ray_work.y;
    // By a rounding the device hits what the ray misses here. Nothing else is hit there: it counts.
    if (best.triangle == kNoTriangle)
        best = Hit(rayQueryGetIntersectionTEXT(query, true), id,
                   rayQueryGetIntersectionBarycentricsEXT(query, true), kNoInstance);
    return best;
}

// Traversal of the device's own hierarchy: by a ray query, or with PIPELINE defined by the pipeline
// that the kernel begins. Included by bvh/traverse.glsl; the kernel asks for GL_EXT_ray_query or
// GL_EXT_ray_tracing.
//
// The device finds the triangle, and its hit is computed as all others are. So hits are the same to
// the bit, but for ties: of triangles that share an edge, or lie on each other, the device takes one
// as it likes.
uniform accelerationStructureEXT bvh_top;

#include "bvh/device_hit.glsl"
#if PIPELINE
#include "bvh/device_trace.glsl"
#else
#include "bvh/device_query.glsl"
#endif

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
    float t_max = min(ray.t_max, kFarthest);
    DeviceHit found = device_hit(ray, t_max, flags);
    if (found.triangle != kNoTriangle && found.triangle == ray.leaves)
        found = device_hit(ray, t_max, flags ^ (gl_RayFlagsOpaqueEXT | gl_RayFlagsNoOpaqueEXT));
    if (found.triangle == kNoTriangle) return best;
    Corners corners = mesh_triangle(found.triangle);
    meet_triangle(prepare(ray), corners.a, corners.b, corners.c, found.triangle, best);
    ++ray_work.y;
    // By a rounding the device hits what the ray misses here. Nothing else is hit there: it counts.
    if (best.triangle == kNoTriangle)
        best = Hit(found.t, found.triangle, found.barycentric, kNoInstance);
    return best;
}

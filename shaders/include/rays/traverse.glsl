// What a ray hits. A kernel declares the members `uint vertex_count` and `uint triangle_count` of
// `Params`, includes this, and calls `closest_hit` and `any_hit`; in C++, `bind_bvh` of
// passes/bvh/bvh.hpp binds the buffers and chooses the traversal. All give the same hits, to the
// bit: the nearest, and of equal t that of the lowest instance and triangle.
#include "rays/ray.glsl"
#include "rays/box.glsl"
#include "rays/triangle.glsl"
#include "rays/mesh_triangle.glsl"
#include "rays/bvh.glsl"

// Boxes and triangles that this invocation has tried. Costs nothing where nobody looks.
uvec2 ray_work = uvec2(0u);

// The instance of which a ray's `leaves` is the triangle; kEveryInstance: it is of all. A kernel
// may set it before it casts.
const uint kEveryInstance = 0xffffffffu;
uint leaves_instance = kEveryInstance;

// With RAYS_BY_DRIVER defined, by the device's own acceleration structure.
#ifdef RAYS_BY_DRIVER
#include "rays/traverse_driver.glsl"
#else
#include "rays/traverse_own.glsl"
#endif

// The nearest hit; of triangle kNoTriangle where there is none.
Hit closest_hit(Ray ray) {
    return traverse(ray, false);
}

// Whether the ray hits anything.
bool any_hit(Ray ray) {
    return traverse(ray, true).triangle != kNoTriangle;
}

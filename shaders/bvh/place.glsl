// The centroids of triangles' boxes.
#include "bvh/mesh_triangle.glsl"
#include "ordered.glsl"

// No sum of the two: it may be infinite where they are not.
vec3 centroid_of(Corners corners) {
    vec3 low = min(min(corners.a, corners.b), corners.c);
    vec3 high = max(max(corners.a, corners.b), corners.c);
    precise vec3 middle = 0.5 * low + 0.5 * high;
    return middle;
}

#version 460
// The leaves of a heap whose triangles have moved.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "refitted.glsl"

writeonly buffer Leaves { uvec4 values[]; } leaves;

void main() {
    uint leaf = invocation_index();
    if (leaf >= bvh_status.elements[0].leaves) return;
    uint triangle = old_leaves.values[3u * leaf].w;
    Corners corners = refitted(mesh_triangle(triangle, params.vertex_count), leaf);
    leaves.values[3u * leaf] = uvec4(floatBitsToUint(corners.a), triangle);
    leaves.values[3u * leaf + 1u] = uvec4(floatBitsToUint(corners.b), kNoNode);
    leaves.values[3u * leaf + 2u] = uvec4(floatBitsToUint(corners.c), 0u);
}

#version 460
// Triangles by code, as leaves.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "bvh/mesh_triangle.glsl"
#include "bvh/bvh.glsl"

readonly buffer Order { uint values[]; } order;
writeonly buffer Leaves { uvec4 values[]; } leaves;
buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

void main() {
    uint leaf = invocation_index();
    uint count = params.triangle_count - bvh_status.elements[0].degenerate -
                 bvh_status.elements[0].not_finite - bvh_status.elements[0].bad_index;
    if (leaf == 0u) bvh_status.elements[0].leaves = count;
    if (leaf >= count) return;
    uint triangle = order.values[leaf];
    Corners corners = mesh_triangle(triangle, params.vertex_count);
    leaves.values[3u * leaf] = uvec4(floatBitsToUint(corners.a), triangle);
    leaves.values[3u * leaf + 1u] = uvec4(floatBitsToUint(corners.b), kNoNode);
    leaves.values[3u * leaf + 2u] = uvec4(floatBitsToUint(corners.c), 0u);
}

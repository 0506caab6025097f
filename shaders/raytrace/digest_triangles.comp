#version 460
// Adds the triangles of a hierarchy to a digest: not where they lie in it, for that does not change
// what rays hit.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "bvh/bvh.glsl"
#include "digest.glsl"

readonly buffer BvhLeaves { uvec4 values[]; } bvh_leaves;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

uniform Params {
    uint part; // of the digest: its number
} params;

void main() {
    uint leaf = invocation_index();
    uvec2 own = uvec2(0u);
    if (leaf < bvh_status.elements[0].leaves) {
        uvec4 a = bvh_leaves.values[3u * leaf];
        uvec3 sum = pcg3d(uvec3(a.w, params.part, 0u));
        sum = pcg3d(sum ^ a.xyz);
        sum = pcg3d(sum ^ bvh_leaves.values[3u * leaf + 1u].xyz);
        own = pcg3d(sum ^ bvh_leaves.values[3u * leaf + 2u].xyz).xy;
    }
    add_to_digest(own);
}

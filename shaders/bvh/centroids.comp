#version 460
// The box of the centroids of all triangles, and how many triangles rays cannot hit.
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 256) in;

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "bvh/mesh_triangle.glsl"
#include "place.glsl"
#include "bvh/bvh.glsl"

buffer Box { uint words[]; } box;
buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

shared uint shared_box[6];
shared uint shared_kinds[4];

void main() {
    if (gl_LocalInvocationIndex < 6u) shared_box[gl_LocalInvocationIndex] = 0u;
    if (gl_LocalInvocationIndex < 4u) shared_kinds[gl_LocalInvocationIndex] = 0u;
    barrier();

    uvec3 low = uvec3(0u); // complement
    uvec3 high = uvec3(0u);
    uvec3 kinds = uvec3(0u);
    uint step_size = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < params.triangle_count; i += step_size) {
        Corners corners = mesh_triangle(i, params.vertex_count);
        if (corners.kind == kProper) {
            uvec3 middle = ordered(centroid_of(corners));
            low = max(low, ~middle);
            high = max(high, middle);
        }
        kinds += uvec3(equal(uvec3(corners.kind), uvec3(kDegenerate, kNotFinite, kBadIndex)));
    }
    low = subgroupMax(low);
    high = subgroupMax(high);
    kinds = subgroupAdd(kinds);
    if (subgroupElect()) {
        for (uint axis = 0u; axis < 3u; ++axis) {
            atomicMax(shared_box[kBoxLow + axis], low[axis]);
            atomicMax(shared_box[kBoxHigh + axis], high[axis]);
            atomicAdd(shared_kinds[axis], kinds[axis]);
        }
    }
    barrier();
    uint i = gl_LocalInvocationIndex;
    if (i < 6u) atomicMax(box.words[i], shared_box[i]);
    if (i == 0u && shared_kinds[0] != 0u)
        atomicAdd(bvh_status.elements[0].degenerate, shared_kinds[0]);
    if (i == 1u && shared_kinds[1] != 0u)
        atomicAdd(bvh_status.elements[0].not_finite, shared_kinds[1]);
    if (i == 2u && shared_kinds[2] != 0u)
        atomicAdd(bvh_status.elements[0].bad_index, shared_kinds[2]);
}

#version 460
// Counts a mesh's triangles that have no area on the lattice: they touch nothing.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint kSecond = 0u;

#include "bvh/bvh.glsl"
#include "exact.glsl"
#include "frame.glsl"
#include "invocation.glsl"
#include "status.glsl"

readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
readonly buffer Leaves { vec4 values[]; } leaves;
readonly buffer Frame { PairFrame elements[]; } frame;
buffer CollisionStatus { SearchStatus elements[]; } collision_status;

void main() {
    uint leaf = invocation_index();
    if (leaf >= bvh_status.elements[0].leaves || frame.elements[0].is_rigid == 0u) return;
    PairFrame f = frame.elements[0];
    Triangle t;
    for (uint i = 0u; i < 3u; ++i) {
        vec3 point = leaves.values[3u * leaf + i].xyz;
        if (kSecond != 0u) point = moved(f.rows, point);
        t.corners[i] = lattice_point(f, point);
    }
    if (!has_no_area(t)) return;
    if (kSecond != 0u) atomicAdd(collision_status.elements[0].flat_b, 1u);
    else atomicAdd(collision_status.elements[0].flat_a, 1u);
}

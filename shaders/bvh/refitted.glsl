// What becomes of a triangle in a leaf.
#include "bvh/bvh.glsl"
#include "bvh/mesh_triangle.glsl"

readonly buffer OldLeaves { uvec4 values[]; } old_leaves;
buffer BvhStatus { HierarchyStatus elements[]; } bvh_status; // that of the old hierarchy

// A triangle that rays cannot hit any more has its corners where the first of them last was: it is
// not hit, and no box grows by it.
Corners refitted(Corners corners, uint leaf) {
    if (corners.kind != kProper) {
        corners.a = uintBitsToFloat(old_leaves.values[3u * leaf].xyz);
        corners.b = corners.a;
        corners.c = corners.a;
        atomicAdd(bvh_status.elements[0].spoilt, 1u);
    }
    return corners;
}

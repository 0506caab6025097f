// All patches whose box a ray may hit, in no order: `visit_patches` calls `visit(patch_index, t)`,
// which the kernel declares, with where the ray enters the box, and ends where that returns a
// negative limit; else the limit is how far the ray still looks.
#ifndef DISPLACEMENT_WALK
#define DISPLACEMENT_WALK
#include "bvh/triangle.glsl"
#include "rays.glsl"

readonly buffer BvhNodes { uvec4 values[]; } bvh_nodes;
readonly buffer BvhLeaves { uvec4 values[]; } bvh_leaves;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
readonly buffer Boxes { vec4 values[]; } boxes;

const uint kMostWaiting = 96u; // nodes: see bvh/traverse.glsl

void visit_patches(PreparedRay ray, float t_max) {
    uint node = bvh_status.elements[0].root;
    if (node == kNoNode || !(t_max >= 0.0)) return;
    float limit = t_max;
    uint stack[kMostWaiting];
    uint waiting = 0u;
    while (true) {
        if ((node & kLeafBit) != 0u) {
            uint patch_index = bvh_leaves.values[3u * (node & ~kLeafBit)].w;
            vec2 interval = interval_in(ray.slabs, boxes.values[2u * patch_index].xyz,
                                        boxes.values[2u * patch_index + 1u].xyz);
            if (may_hit(interval, limit)) limit = visit(patch_index, max(interval.x, 0.0));
        } else {
            uvec4 a = bvh_nodes.values[4u * node];
            uvec4 b = bvh_nodes.values[4u * node + 1u];
            uvec4 c = bvh_nodes.values[4u * node + 2u];
            uvec4 d = bvh_nodes.values[4u * node + 3u];
            vec2 left = interval_in(ray.slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz));
            vec2 right = interval_in(ray.slabs, uintBitsToFloat(c.xyz), uintBitsToFloat(d.xyz));
            bool to_left = may_hit(left, limit);
            bool to_right = may_hit(right, limit);
            bool right_first = to_right && (!to_left || right.x < left.x);
            if (to_left && to_right) stack[waiting++] = right_first ? a.w : c.w;
            if (to_left || to_right) {
                node = right_first ? c.w : a.w;
                continue;
            }
        }
        if (waiting == 0u) return;
        node = stack[--waiting];
    }
}

#endif

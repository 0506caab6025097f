// All patches whose box a ray may hit, in no order: `visit_patches` calls `visit(number, ray, t)`, which
// the kernel declares, with the ray in the space of the patches and where it enters the box, and ends
// where that returns a negative limit; else the limit is how far the ray still looks.
#ifndef DISPLACEMENT_WALK
#define DISPLACEMENT_WALK
#include "levels.glsl"
#include "rays.glsl"

readonly buffer BvhNodes { uvec4 values[]; } bvh_nodes;
readonly buffer BvhLeaves { uvec4 values[]; } bvh_leaves;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
readonly buffer BvhTopNodes { uvec4 values[]; } bvh_top_nodes; // over instances
readonly buffer BvhTopLeaves { uvec4 values[]; } bvh_top_leaves;
readonly buffer Boxes { vec4 values[]; } boxes;

float visit(uint number, PreparedRay ray, float t);

const uint kMaxWaiting = 96u; // nodes: see bvh/traverse.glsl
const uint kMaxTopWaiting = 64u;

// Where a ray goes from a node.
struct Children {
    uint near; // or kNoNode: to neither
    uint far;  // or kNoNode
};

Children children_for(Slabs slabs, float limit, uvec4 a, uvec4 b, uvec4 c, uvec4 d) {
    vec2 left = interval_in(slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz));
    vec2 right = interval_in(slabs, uintBitsToFloat(c.xyz), uintBitsToFloat(d.xyz));
    bool to_left = may_hit(left, limit);
    bool to_right = may_hit(right, limit);
    bool right_first = to_right && (!to_left || right.x < left.x);
    uint near = right_first ? c.w : to_left ? a.w : kNoNode;
    uint far = to_left && to_right ? (right_first ? a.w : c.w) : kNoNode;
    return Children(near, far);
}

// The patches below `node`; `first` is the number of patch 0. Gives the limit that is left.
float walk_patches(PreparedRay ray, uint node, uint first, float limit) {
    uint stack[kMaxWaiting];
    uint waiting = 0u;
    while (true) {
        if ((node & kLeafBit) != 0u) {
            uint patch_index = bvh_leaves.values[3u * (node & ~kLeafBit)].w;
            vec2 interval = interval_in(ray.slabs, boxes.values[2u * patch_index].xyz,
                                        boxes.values[2u * patch_index + 1u].xyz);
            if (may_hit(interval, limit))
                limit = visit(first + patch_index, ray, max(interval.x, 0.0));
        } else {
            uint at = 4u * node;
            Children next =
                children_for(ray.slabs, limit, bvh_nodes.values[at], bvh_nodes.values[at + 1u],
                             bvh_nodes.values[at + 2u], bvh_nodes.values[at + 3u]);
            if (next.far != kNoNode) stack[waiting++] = next.far;
            node = next.near;
            if (node != kNoNode) continue;
        }
        if (waiting == 0u || limit < 0.0) return limit;
        node = stack[--waiting];
    }
    return limit;
}

void visit_patches(Ray ray, uint patch_count) {
    uint node = bvh_status.elements[0].root;
    if (node == kNoNode || !(ray.t_max >= 0.0)) return;
    if (has_instances == 0u) {
        walk_patches(prepare(ray), node, 0u, ray.t_max);
        return;
    }
    Slabs slabs = slabs_of(ray);
    float limit = ray.t_max;
    uint stack[kMaxTopWaiting];
    uint waiting = 0u;
    while (true) {
        if ((node & kLeafBit) != 0u) {
            uint leaf = 3u * (node & ~kLeafBit);
            uvec4 a = bvh_top_leaves.values[leaf];
            uvec4 b = bvh_top_leaves.values[leaf + 1u];
            vec2 interval = interval_in(slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz));
            uint root = bvh_instances.values[kInstanceQuads * a.w + 3u].x;
            if (may_hit(interval, limit) && root != kNoNode)
                limit = walk_patches(prepare(ray_into(a.w, ray)), root, a.w * patch_count, limit);
        } else {
            uint at = 4u * node;
            Children next = children_for(slabs, limit, bvh_top_nodes.values[at],
                                         bvh_top_nodes.values[at + 1u], bvh_top_nodes.values[at + 2u],
                                         bvh_top_nodes.values[at + 3u]);
            if (next.far != kNoNode) stack[waiting++] = next.far;
            node = next.near;
            if (node != kNoNode) continue;
        }
        if (waiting == 0u || limit < 0.0) return;
        node = stack[--waiting];
    }
}

#endif

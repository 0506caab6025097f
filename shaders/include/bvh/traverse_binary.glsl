// Traversals of binary hierarchies. Included by bvh/traverse.glsl.

// Codes of 60 bits and, where they are equal, numbers below 2^26 tell leaves apart: no path is
// longer, and a traversal keeps at most one node a level.
const uint kMostLevels = 96u;

// Where the ray enters and leaves the boxes of a node's children, and the children.
struct Children {
    vec2 left;
    vec2 right;
    uint left_child;
    uint right_child;
};

Children children_of(PreparedRay ray, uint node) {
    uvec4 a = bvh_nodes.values[4u * node];
    uvec4 b = bvh_nodes.values[4u * node + 1u];
    uvec4 c = bvh_nodes.values[4u * node + 2u];
    uvec4 d = bvh_nodes.values[4u * node + 3u];
    ray_work.x += 2u;
    return Children(
        interval_in(ray.slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz)),
        interval_in(ray.slabs, uintBitsToFloat(c.xyz), uintBitsToFloat(d.xyz)), a.w, c.w);
}

void meet_leaf(PreparedRay ray, uint leaf, inout Hit best) {
    uvec4 a = bvh_leaves.values[3u * leaf];
    uvec4 b = bvh_leaves.values[3u * leaf + 1u];
    uvec4 c = bvh_leaves.values[3u * leaf + 2u];
    ++ray_work.y;
    meet_triangle(ray, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz), uintBitsToFloat(c.xyz), a.w,
                  best);
}

// The nearer child first, the other one on a stack.
Hit traverse_stack(Ray ray, bool any) {
    PreparedRay prepared = prepare(ray);
    Hit best = no_hit(ray);
    uint node = bvh_status.words[kStatusRoot];
    if (node == kNoNode) return best;
    uint stack[kMostLevels];
    uint waiting = 0u;
    while (true) {
        if ((node & kLeafBit) != 0u) {
            meet_leaf(prepared, node & ~kLeafBit, best);
            if (any && best.triangle != kNoTriangle) break;
        } else {
            Children children = children_of(prepared, node);
            bool left = may_hit(children.left, best.t);
            bool right = may_hit(children.right, best.t);
            bool right_first = right && (!left || children.right.x < children.left.x);
            if (left && right)
                stack[waiting++] = right_first ? children.left_child : children.right_child;
            if (left || right) {
                node = right_first ? children.right_child : children.left_child;
                continue;
            }
        }
        if (waiting == 0u) break;
        node = stack[--waiting];
    }
    return best;
}

uint parent_of(uint node) {
    return (node & kLeafBit) != 0u ? bvh_leaves.values[3u * (node & ~kLeafBit) + 1u].w
                                   : bvh_nodes.values[4u * node + 1u].w;
}

// Whether the child whose quads begin at `at` may be hit. The nearest hit has often come closer since
// its sibling was chosen; and where a ray began below, nobody has looked at the child's box.
bool may_hit_child(PreparedRay ray, uint at, float t) {
    ++ray_work.x;
    return may_hit(interval_in(ray.slabs, uintBitsToFloat(bvh_nodes.values[at].xyz),
                               uintBitsToFloat(bvh_nodes.values[at + 1u].xyz)),
                   t);
}

// A level down and up.
uvec3 trail_down(uvec3 trail) {
    return uvec3(trail.x << 1u, trail.y << 1u | trail.x >> 31u, trail.z << 1u | trail.y >> 31u);
}
uvec3 trail_up(uvec3 trail) {
    return uvec3(trail.x >> 1u | trail.y << 31u, trail.y >> 1u | trail.z << 31u, trail.z >> 1u);
}

// Without a stack (R. Barringer and T. Akenine-Moeller, "Dynamic Stackless Binary Tree Traversal",
// JCGT 2013): a bit a level, 1 where the sibling of the node on the path needs no visit any more.
// Going back is going up past all ones and then to the sibling, if that may still be hit. Traversal may begin at any node
// `from` instead of the root (kNoNode), with no bit set: what an earlier ray hit is often near.
HitAt traverse_trail(Ray ray, bool any, uint from) {
    PreparedRay prepared = prepare(ray);
    HitAt best = HitAt(no_hit(ray), kNoNode);
    uint node = from != kNoNode ? from : bvh_status.words[kStatusRoot];
    if (node == kNoNode) return best;
    uvec3 trail = uvec3(0u); // the lowest bit is that of the current level
    while (true) {
        if ((node & kLeafBit) != 0u) {
            uint before = best.hit.triangle;
            meet_leaf(prepared, node & ~kLeafBit, best.hit);
            if (best.hit.triangle != before) best.leaf = node;
            if (any && best.hit.triangle != kNoTriangle) return best;
        } else {
            Children children = children_of(prepared, node);
            bool left = may_hit(children.left, best.hit.t);
            bool right = may_hit(children.right, best.hit.t);
            if (left || right) {
                bool right_first = right && (!left || children.right.x < children.left.x);
                node = right_first ? children.right_child : children.left_child;
                trail = trail_down(trail);
                if (!(left && right)) trail.x |= 1u;
                continue;
            }
        }
        // Up to the nearest level whose sibling waits.
        uint child = node;
        while (true) {
            uint parent = parent_of(child);
            if (parent == kNoNode) return best;
            if ((trail.x & 1u) == 0u) {
                trail.x |= 1u;
                uint at = 4u * parent;
                if (bvh_nodes.values[at].w == child) at += 2u;
                if (may_hit_child(prepared, at, best.hit.t)) {
                    node = bvh_nodes.values[at].w;
                    break;
                }
            }
            child = parent;
            trail = trail_up(trail);
        }
    }
    return best;
}

// Traversals of heaps, whose nodes are found by arithmetic. Included by bvh/traverse.glsl.

struct HeapVisit {
    bool enters;  // the ray meets the box before its nearest hit
    bool is_leaf;
    bool right_first;
    uint first;
    uint count;
};

HeapVisit visit_heap(PreparedRay ray, uint node, float t) {
    uvec4 a = bvh_nodes.values[2u * node];
    uvec4 b = bvh_nodes.values[2u * node + 1u];
    ++ray_work.x;
    HeapVisit visit;
    visit.enters = a.w != kHeapInvalid &&
                   may_hit(interval_in(ray.slabs, uintBitsToFloat(a.xyz), uintBitsToFloat(b.xyz)), t);
    visit.is_leaf = (a.w & kHeapLeaf) != 0u;
    // By the ray's sign on the axis that the children part along.
    uint axis = a.w & 3u;
    float along = axis == 0u ? ray.direction.x : axis == 1u ? ray.direction.y : ray.direction.z;
    visit.right_first = along < 0.0;
    visit.first = b.w;
    visit.count = a.w >> 3u;
    return visit;
}

void meet_leaves(PreparedRay ray, HeapVisit visit, bool any, inout Hit best) {
    for (uint i = 0u; i < visit.count; ++i) {
        meet_leaf(ray, visit.first + i, best);
        if (any && best.triangle != kNoTriangle) return;
    }
}

// The chapter's bit trail: a bit a level, 1 where the sibling of the node on the path has been
// visited. Going back adds 1, which carries past all levels that are done; the bits that the carry
// leaves at zero are the levels to go up. Traversal may begin at any node but an invalid one.
HitAt traverse_heap_trail(Ray ray, bool any, uint from) {
    PreparedRay prepared = prepare(ray);
    HitAt best = HitAt(no_hit(ray), kNoNode);
    uint node = from != kNoNode ? from : bvh_status.words[kStatusRoot];
    if (node == kNoNode) return best;
    uint trail = 1u << uint(findMSB(node));
    while (true) {
        HeapVisit visit = visit_heap(prepared, node, best.hit.t);
        if (visit.enters && !visit.is_leaf) {
            trail <<= 1u;
            node = node << 1u | uint(visit.right_first);
            continue;
        }
        if (visit.enters) {
            uint before = best.hit.triangle;
            meet_leaves(prepared, visit, any, best.hit);
            if (best.hit.triangle != before) best.leaf = node;
            if (any && best.hit.triangle != kNoTriangle) break;
        }
        uint up = uint(findLSB(trail + 1u));
        trail = (trail >> up) + 1u;
        node = node >> up ^ 1u;
        if (trail <= 1u) break;
    }
    return best;
}

const uint kMostHeapLevels = 24u;

// The same nodes in the same order, from a stack.
Hit traverse_heap_stack(Ray ray, bool any) {
    PreparedRay prepared = prepare(ray);
    Hit best = no_hit(ray);
    uint node = bvh_status.words[kStatusRoot];
    if (node == kNoNode) return best;
    uint stack[kMostHeapLevels];
    uint waiting = 0u;
    while (true) {
        HeapVisit visit = visit_heap(prepared, node, best.t);
        if (visit.enters && !visit.is_leaf) {
            node = node << 1u | uint(visit.right_first);
            stack[waiting++] = node ^ 1u;
            continue;
        }
        if (visit.enters) meet_leaves(prepared, visit, any, best);
        if (waiting == 0u || (any && best.triangle != kNoTriangle)) break;
        node = stack[--waiting];
    }
    return best;
}

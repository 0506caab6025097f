// What a ray hits: `closest_hit` and `any_hit`. In C++, `bind_bvh` of passes/bvh/bvh.hpp binds the
// buffers, chooses the traversal, and sets `vertex_count` and `triangle_count` of the kernel's
// `Params`, which make the `MeshSize`. All traversals give the same hits, to the bit: the nearest,
// and of equal t that of the lowest instance and triangle.
//
// INSTANCES, where it is defined before, is for hierarchies over instances, and for no others: a
// constant of the pipeline would choose as well, but software devices compile for minutes what it
// leaves out. DEVICE, likewise, is for the device's own hierarchy: few devices take such a kernel. With
// PIPELINE it is the ray generation stage of a ray-tracing pipeline. RAY_BUFFER: the rays are in a
// buffer, from which `ray_at` reads them.
#include "bvh/ray.glsl"
#include "bvh/triangle.glsl"
#include "bvh/mesh_triangle.glsl"
#include "bvh/bvh.glsl"

// Of the mesh; over instances it does not matter.
struct MeshSize {
    uint vertices;
    uint triangles;
};

// Boxes and triangles that this invocation has tried. Costs nothing where nobody looks.
uvec2 ray_work = uvec2(0u);

struct HitAt {
    Hit hit;
    uint leaf; // a reference; kNoNode where nothing was hit
};

// Whether the ray can hit anything. Vulkan wants numbers; and arithmetic with infinite ones would
// find hits at t = 0.
bool is_proper(Ray ray) {
    return is_finite(ray.origin) && is_finite(ray.direction) &&
           any(notEqual(ray.direction, vec3(0.0))) && ray.t_max >= 0.0;
}

#if DEVICE
// Traversal of the device's own hierarchy: by a ray query, or with PIPELINE defined by the pipeline
// that the kernel begins. The kernel asks for GL_EXT_ray_query or
// GL_EXT_ray_tracing.
//
// The device finds the triangle, and its hit is computed as all others are. So hits are the same to
// the bit, but for ties: of triangles that share an edge, or lie on each other, the device takes one
// as it likes.
uniform accelerationStructureEXT bvh_top;

#if PIPELINE
// What the device hits, by its ray-tracing pipeline: the stages bvh/device.rmiss,
// device.rchit and device.rahit fill in the payload.
layout(location = 0) rayPayloadEXT DeviceHit device_payload;

DeviceHit device_hit(Ray ray, float t_max, uint flags) {
    device_payload.leaves = ray.leaves;
    traceRayEXT(bvh_top, flags, 0xffu, 0u, 0u, 0u, ray.origin, 0.0, ray.direction, t_max, 0);
    return device_payload;
}
#else
// What the device hits, by a ray query.
DeviceHit device_hit(Ray ray, float t_max, uint flags) {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, bvh_top, flags, 0xffu, ray.origin, 0.0, ray.direction, t_max);
    while (rayQueryProceedEXT(query))
        if (uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, false)) != ray.leaves)
            rayQueryConfirmIntersectionEXT(query);
    if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT)
        return DeviceHit(0.0, kNoTriangle, vec2(0.0), ray.leaves);
    return DeviceHit(rayQueryGetIntersectionTEXT(query, true),
                     uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, true)),
                     rayQueryGetIntersectionBarycentricsEXT(query, true), ray.leaves);
}
#endif

const float kFarthest = 3.4028234e38;

Hit traverse_device(Ray ray, MeshSize mesh, bool any) {
    Hit best = no_hit(ray);
    // Opaque first, for that is fastest; again, triangle by triangle, where a ray hits the one that
    // it leaves.
    uint flags = gl_RayFlagsOpaqueEXT | (any ? gl_RayFlagsTerminateOnFirstHitEXT : 0u);
    float t_max = min(ray.t_max, kFarthest);
    DeviceHit found = device_hit(ray, t_max, flags);
    if (found.triangle != kNoTriangle && found.triangle == ray.leaves)
        found = device_hit(ray, t_max, flags ^ (gl_RayFlagsOpaqueEXT | gl_RayFlagsNoOpaqueEXT));
    if (found.triangle == kNoTriangle) return best;
    Corners corners = mesh_triangle(found.triangle, mesh.vertices);
    meet_triangle(prepare(ray), corners.a, corners.b, corners.c, found.triangle, best);
    ++ray_work.y;
    // By a rounding the device hits what the ray misses here. Nothing else is hit there: it counts.
    if (best.triangle == kNoTriangle)
        best = Hit(found.t, found.triangle, found.barycentric, kNoInstance);
    return best;
}

Hit traverse(Ray ray, MeshSize mesh, bool any) {
    return traverse_device(ray, mesh, any);
}
#else
layout(constant_id = 31) const uint traversal = 0u;
const uint kTraverseMesh = 0u;
#if !INSTANCES
layout(constant_id = 32) const uint has_bvh = 0u; // 0: there are no nodes, rays try the mesh
#endif
const uint kTraverseStack = 1u;
const uint kTraverseTrail = 2u;
const uint kTraverseHeapStack = 3u;
const uint kTraverseHeapTrail = 4u;
const uint kTraverseWide = 5u;

readonly buffer BvhNodes { uvec4 values[]; } bvh_nodes;
readonly buffer BvhLeaves { uvec4 values[]; } bvh_leaves;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

// Every triangle of the mesh, one after the other: what all other traversals are compared with.

Hit traverse_mesh(Ray ray, MeshSize mesh, bool any) {
    PreparedRay prepared = prepare(ray);
    Hit best = no_hit(ray);
    for (uint id = 0u; id < mesh.triangles; ++id) {
        Corners corners = mesh_triangle(id, mesh.vertices);
        if (corners.kind != kProper) continue;
        meet_triangle(prepared, corners.a, corners.b, corners.c, id, best);
        ++ray_work.y;
        if (any && best.triangle != kNoTriangle) break;
    }
    return best;
}

// Traversals of binary hierarchies.

// Codes of 60 bits and, where they are equal, numbers below 2^26 tell leaves apart: no path is
// longer, and a traversal keeps at most one node a level.
const uint kMaxLevels = 96u;

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
    uint node = bvh_status.elements[0].root;
    if (node == kNoNode) return best;
    uint stack[kMaxLevels];
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
uvec3 trail_down(uvec3 bit_trail) {
    return uvec3(bit_trail.x << 1u, bit_trail.y << 1u | bit_trail.x >> 31u, bit_trail.z << 1u | bit_trail.y >> 31u);
}
uvec3 trail_up(uvec3 bit_trail) {
    return uvec3(bit_trail.x >> 1u | bit_trail.y << 31u, bit_trail.y >> 1u | bit_trail.z << 31u, bit_trail.z >> 1u);
}

// Without a stack (R. Barringer and T. Akenine-Moeller, "Dynamic Stackless Binary Tree Traversal",
// JCGT 2013): a bit a level, 1 where the sibling of the node on the path needs no visit any more.
// Going back is going up past all ones and then to the sibling, if that may still be hit. Traversal may begin at any node
// `from` instead of the root (kNoNode), with no bit set: what an earlier ray hit is often near.
HitAt traverse_trail(Ray ray, bool any, uint from) {
    PreparedRay prepared = prepare(ray);
    HitAt best = HitAt(no_hit(ray), kNoNode);
    uint node = from != kNoNode ? from : bvh_status.elements[0].root;
    if (node == kNoNode) return best;
    uvec3 bit_trail = uvec3(0u); // the lowest bit is that of the current level
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
                bit_trail = trail_down(bit_trail);
                if (!(left && right)) bit_trail.x |= 1u;
                continue;
            }
        }
        // Up to the nearest level whose sibling waits.
        uint child = node;
        while (true) {
            uint parent = parent_of(child);
            if (parent == kNoNode) return best;
            if ((bit_trail.x & 1u) == 0u) {
                bit_trail.x |= 1u;
                uint at = 4u * parent;
                if (bvh_nodes.values[at].w == child) at += 2u;
                if (may_hit_child(prepared, at, best.hit.t)) {
                    node = bvh_nodes.values[at].w;
                    break;
                }
            }
            child = parent;
            bit_trail = trail_up(bit_trail);
        }
    }
    return best;
}

// Traversals of heaps, whose nodes are found by arithmetic.

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
    uint node = from != kNoNode ? from : bvh_status.elements[0].root;
    if (node == kNoNode) return best;
    uint bit_trail = 1u << uint(findMSB(node));
    while (true) {
        HeapVisit visit = visit_heap(prepared, node, best.hit.t);
        if (visit.enters && !visit.is_leaf) {
            bit_trail <<= 1u;
            node = node << 1u | uint(visit.right_first);
            continue;
        }
        if (visit.enters) {
            uint before = best.hit.triangle;
            meet_leaves(prepared, visit, any, best.hit);
            if (best.hit.triangle != before) best.leaf = node;
            if (any && best.hit.triangle != kNoTriangle) break;
        }
        uint up = uint(findLSB(bit_trail + 1u));
        bit_trail = (bit_trail >> up) + 1u;
        node = node >> up ^ 1u;
        if (bit_trail <= 1u) break;
    }
    return best;
}

const uint kMaxHeapLevels = 24u;

// The same nodes in the same order, from a stack.
Hit traverse_heap_stack(Ray ray, bool any) {
    PreparedRay prepared = prepare(ray);
    Hit best = no_hit(ray);
    uint node = bvh_status.elements[0].root;
    if (node == kNoNode) return best;
    uint stack[kMaxHeapLevels];
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

// Traversal of wide nodes.

vec4 bytes_of(uint word) {
    return vec4(uvec4(word, word >> 8u, word >> 16u, word >> 24u) & 255u);
}

// Four children at a time: their planes along one axis, and the ray's interval between them.
struct Planes {
    vec4 near;
    vec4 far;
};
Planes planes_of(float origin, float size, uint low, uint high, float ray_low, float ray_high,
                 float inverse) {
    precise vec4 low_plane = origin + bytes_of(low) * size;
    precise vec4 high_plane = origin + bytes_of(high) * size;
    precise vec4 a = (low_plane - ray_low) * inverse;
    precise vec4 b = (high_plane - ray_high) * inverse;
    return Planes(min(a, b), max(a, b));
}

// As `interval_in` and `may_hit`, to the bit.
bvec4 four_may_hit(Slabs slabs, uvec4 grid, uvec3 low, uvec3 high, float t) {
    vec3 origin = uintBitsToFloat(grid.xyz);
    vec3 size = vec3(step_of(grid.w & 255u), step_of(grid.w >> 8u & 255u),
                     step_of(grid.w >> 16u & 255u));
    Planes x = planes_of(origin.x, size.x, low.x, high.x, slabs.low.x, slabs.high.x,
                         slabs.inverse.x);
    Planes y = planes_of(origin.y, size.y, low.y, high.y, slabs.low.y, slabs.high.y,
                         slabs.inverse.y);
    Planes z = planes_of(origin.z, size.z, low.z, high.z, slabs.low.z, slabs.high.z,
                         slabs.inverse.z);
    vec4 enters = max(max(x.near, y.near), z.near);
    vec4 leaves = min(min(x.far, y.far), z.far);
    precise vec4 widened = leaves + abs(leaves) * kIntervalSlack;
    bvec4 meets = lessThanEqual(enters, widened);
    bvec4 ahead = greaterThanEqual(widened, vec4(0.0));
    bvec4 before = lessThanEqual(enters, vec4(t));
    return bvec4(meets.x && ahead.x && before.x, meets.y && ahead.y && before.y,
                 meets.z && ahead.z && before.z, meets.w && ahead.w && before.w);
}

// The children that the ray may hit, a bit each: that of `place ^ octant`.
uint wide_hits(PreparedRay ray, uint node, uint octant, float t) {
    uint at = kWideQuads * node;
    uvec4 grid = bvh_nodes.values[at];
    uvec4 first = bvh_nodes.values[at + 1u];
    uvec4 second = bvh_nodes.values[at + 2u];
    uvec4 a = bvh_nodes.values[at + 3u];
    uvec4 b = bvh_nodes.values[at + 4u];
    uvec4 c = bvh_nodes.values[at + 5u];
    ray_work.x += kWideChildren;
    bvec4 lower = four_may_hit(ray.slabs, grid, uvec3(a.x, a.z, b.x), uvec3(b.z, c.x, c.z), t);
    bvec4 upper = four_may_hit(ray.slabs, grid, uvec3(a.y, a.w, b.y), uvec3(b.w, c.y, c.w), t);
    uint hits = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        if (lower[i] && first[i] != kNoNode) hits |= 1u << (i ^ octant);
        if (upper[i] && second[i] != kNoNode) hits |= 1u << ((i + 4u) ^ octant);
    }
    return hits;
}

// Below `root`, which there is.
void go_wide(PreparedRay prepared, uint root, bool any, inout Hit best) {
    uint node = root;
    if ((node & kLeafBit) != 0u) {
        meet_leaf(prepared, node & ~kLeafBit, best);
        return;
    }
    uint octant = uint(prepared.direction.x < 0.0) | uint(prepared.direction.y < 0.0) << 1u |
                  uint(prepared.direction.z < 0.0) << 2u;
    uvec2 stack[kMaxLevels]; // nodes, and their children that wait
    uint waiting = 0u;
    uint hits = wide_hits(prepared, node, octant, best.t);
    while (true) {
        if (hits == 0u) {
            if (waiting == 0u) break;
            uvec2 next = stack[--waiting];
            node = next.x;
            hits = next.y;
        }
        uint place = uint(findLSB(hits)) ^ octant;
        hits &= hits - 1u;
        uint child = bvh_nodes.values[kWideQuads * node + 1u + (place >> 2u)][place & 3u];
        if ((child & kLeafBit) != 0u) {
            meet_leaf(prepared, child & ~kLeafBit, best);
            if (any && best.triangle != kNoTriangle) break;
            continue;
        }
        if (hits != 0u) stack[waiting++] = uvec2(node, hits);
        node = child;
        hits = wide_hits(prepared, node, octant, best.t);
    }
}

Hit traverse_wide(Ray ray, bool any) {
    Hit best = no_hit(ray);
    uint root = bvh_status.elements[0].root;
    if (root != kNoNode) go_wide(prepare(ray), root, any, best);
    return best;
}

#if INSTANCES
#include "bvh/traverse_instances.glsl"

Hit traverse(Ray ray, MeshSize mesh, bool any) {
    if (traversal == kTraverseMesh) return traverse_instances_mesh(ray, any);
    if (traversal == kTraverseTrail) return traverse_instances_trail(ray, any);
    return traverse_instances_stack(ray, any);
}
#else
Hit traverse(Ray ray, MeshSize mesh, bool any) {
    if (has_bvh == 0u) return traverse_mesh(ray, mesh, any);
    if (traversal == kTraverseStack) return traverse_stack(ray, any);
    if (traversal == kTraverseTrail) return traverse_trail(ray, any, kNoNode).hit;
    if (traversal == kTraverseWide) return traverse_wide(ray, any);
    if (traversal == kTraverseHeapStack) return traverse_heap_stack(ray, any);
    return traverse_heap_trail(ray, any, kNoNode).hit;
}
#endif
#endif

// The nearest hit; of triangle kNoTriangle where there is none.
Hit closest_hit(Ray ray, MeshSize mesh) {
    if (!is_proper(ray)) return no_hit(ray);
    return traverse(ray, mesh, false);
}

// The same, beginning at the node or leaf `from`, where an earlier ray has hit what is often near;
// kNoNode begins at the root. Traversals by stack, those of instances and the device's always do,
// and then the leaf is kNoNode.
HitAt closest_hit_from(Ray ray, MeshSize mesh, uint from) {
    if (!is_proper(ray)) return HitAt(no_hit(ray), kNoNode);
#if !INSTANCES && !DEVICE
    if (traversal == kTraverseTrail) return traverse_trail(ray, false, from);
    if (traversal == kTraverseHeapTrail) return traverse_heap_trail(ray, false, from);
#endif
    return HitAt(traverse(ray, mesh, false), kNoNode);
}

// Whether the ray hits anything.
bool any_hit(Ray ray, MeshSize mesh) {
    return is_proper(ray) && traverse(ray, mesh, true).triangle != kNoTriangle;
}

#if RAY_BUFFER
// Rays in a buffer, two quads each: origin and t_max; direction and the triangle that the ray
// leaves.
readonly buffer Rays { uvec4 values[]; } rays;

Ray ray_at(uint i) {
    uvec4 a = rays.values[2u * i];
    uvec4 b = rays.values[2u * i + 1u];
    return Ray(uintBitsToFloat(a.xyz), uintBitsToFloat(a.w), uintBitsToFloat(b.xyz), b.w);
}
#endif

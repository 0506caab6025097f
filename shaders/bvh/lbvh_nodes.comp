#version 460
// The hierarchy over sorted codes, from the leaves up, nodes and boxes at once (C. Apetrei, "Fast
// and Simple Agglomerative LBVH Construction", 2014; the tree is that of T. Karras, "Maximizing
// Parallelism in the Construction of BVHs, Octrees, and k-d Trees", 2012). A node has the number of
// the last leaf of its left child. A subtree that is done tells its parent; who comes there second
// goes on with the parent, so nobody waits.
//
// A group has 256 leaves that follow each other. What of the tree lies within them is made in shared
// memory and written once, 64 bytes a node; only the few subtrees that reach beyond them meet their
// siblings in memory.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "memory_order.glsl"
#include "bvh/mesh_triangle.glsl"
#include "bvh/bvh.glsl"
#include "split.glsl"

readonly buffer Order { uint values[]; } order; // triangles by code
coherent buffer Nodes { uvec4 values[]; } nodes;
coherent buffer Arrivals { uint values[]; } arrivals; // kNobody at the start
writeonly buffer Leaves { uvec4 values[]; } leaves;
buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

const uint kNobody = 0xffffffffu;

shared uint shared_parts[257]; // [i]: before the group's leaf i
shared uint shared_arrivals[256];
shared vec3 shared_low[256]; // by the end of the subtree that is next to its sibling
shared vec3 shared_high[256];
shared uint shared_child[256];

struct Subtree {
    uint first; // leaves
    uint last;
    vec3 low;
    vec3 high;
    uint node; // reference
};

// What is above a subtree.
struct Above {
    uint parent;  // kNoNode: nothing
    bool is_left; // of the parent's children
};

Above above(uint part_before, uint part_after, uint first, uint last) {
    if (part_before == kNoPart && part_after == kNoPart) return Above(kNoNode, false);
    bool is_left = part_after < part_before;
    return Above(is_left ? last : first - 1u, is_left);
}

// In a fixed order, for which of +0 and -0 is the least is not said.
Subtree joined(Subtree left, Subtree right, uint node) {
    return Subtree(left.first, right.last, min(left.low, right.low), max(left.high, right.high),
                   node);
}

void write_root(Subtree all) {
    bvh_status.elements[0].root = all.node;
    bvh_status.elements[0].leaves = all.last + 1u;
    bvh_status.elements[0].nodes = all.last;
    bvh_status.elements[0].largest_leaf = 1u;
    for (uint axis = 0u; axis < 3u; ++axis) {
        bvh_status.elements[0].low[axis] = all.low[axis];
        bvh_status.elements[0].high[axis] = all.high[axis];
    }
}

Subtree write_leaf(uint leaf, uint parent) {
    uint triangle = order.values[leaf];
    Corners corners = mesh_triangle(triangle, params.vertex_count);
    leaves.values[3u * leaf] = uvec4(floatBitsToUint(corners.a), triangle);
    leaves.values[3u * leaf + 1u] = uvec4(floatBitsToUint(corners.b), parent);
    leaves.values[3u * leaf + 2u] = uvec4(floatBitsToUint(corners.c), 0u);
    return Subtree(leaf, leaf, min(min(corners.a, corners.b), corners.c),
                   max(max(corners.a, corners.b), corners.c), leaf | kLeafBit);
}

uint leaf_count() {
    uint dropped = bvh_status.elements[0].degenerate + bvh_status.elements[0].not_finite +
                   bvh_status.elements[0].bad_index;
    return params.triangle_count - dropped;
}

// Goes up within the group as far as siblings are there. Returns what is above the subtree with
// which this invocation has to go on in memory; nothing, where it has come to the root.
Above climb_group(uint base, inout Subtree subtree, Above to) {
    while (to.parent != kNoNode) {
        uint slot = to.parent - base;
        if (to.parent < base || slot >= 255u) break; // the sibling is of another group
        uint end = to.is_left ? subtree.first : subtree.last;
        uint cell = to.is_left ? slot : slot + 1u;
        shared_low[cell] = subtree.low;
        shared_high[cell] = subtree.high;
        shared_child[cell] = subtree.node;
        order_shared();
        uint other = atomicExchange(shared_arrivals[slot], end);
        if (other == kNobody) break; // unless the sibling comes later
        order_shared();
        cell = to.is_left ? slot + 1u : slot;
        Subtree sibling = Subtree(other, other, shared_low[cell], shared_high[cell],
                                  shared_child[cell]);
        Subtree left = sibling;
        Subtree right = subtree;
        if (to.is_left) {
            left = subtree;
            right = sibling;
        }
        uint node = to.parent;
        subtree = joined(left, right, node);
        to = above(shared_parts[subtree.first - base], shared_parts[subtree.last - base + 1u],
                   subtree.first, subtree.last);
        nodes.values[4u * node] = uvec4(floatBitsToUint(left.low), left.node);
        nodes.values[4u * node + 1u] = uvec4(floatBitsToUint(left.high), to.parent);
        nodes.values[4u * node + 2u] = uvec4(floatBitsToUint(right.low), right.node);
        nodes.values[4u * node + 3u] =
            uvec4(floatBitsToUint(right.high), subtree.last - subtree.first + 1u);
    }
    return to;
}

// Goes up in memory: leaves a child's box in its parent, and goes on if the other is there. Returns
// what is above the last subtree, as `climb_group` does.
Above climb(inout Subtree subtree, Above to, uint count) {
    while (to.parent != kNoNode) {
        uint node = to.parent;
        uint mine = 4u * node + (to.is_left ? 0u : 2u);
        nodes.values[mine] = uvec4(floatBitsToUint(subtree.low), subtree.node);
        nodes.values[mine + 1u].xyz = floatBitsToUint(subtree.high);
        order_buffers();
        uint end = to.is_left ? subtree.first : subtree.last;
        uint other = atomicExchange(arrivals.values[node], end);
        if (other == kNobody) break;
        order_buffers();
        uint its = 4u * node + (to.is_left ? 2u : 0u);
        vec3 low = uintBitsToFloat(nodes.values[its].xyz);
        vec3 high = uintBitsToFloat(nodes.values[its + 1u].xyz);
        Subtree sibling = Subtree(other, other, low, high, 0u);
        if (to.is_left) subtree = joined(subtree, sibling, node);
        else subtree = joined(sibling, subtree, node);
        to = above(part_after(subtree.first - 1u, count), part_after(subtree.last, count),
                   subtree.first, subtree.last);
        nodes.values[4u * node + 1u].w = to.parent;
        nodes.values[4u * node + 3u].w = subtree.last - subtree.first + 1u;
    }
    return to;
}

void main() {
    uint count = leaf_count();
    uint base = group_index() * gl_WorkGroupSize.x;
    uint i = gl_LocalInvocationIndex;
    uint leaf = base + i;
    if (count == 0u && leaf == 0u) bvh_status.elements[0].root = kNoNode;

    shared_arrivals[i] = kNobody;
    shared_parts[i + 1u] = leaf < count ? part_after(leaf, count) : kNoPart;
    if (i == 0u) shared_parts[0] = part_after(base - 1u, count);
    barrier();

    Subtree subtree = Subtree(leaf, leaf, vec3(0.0), vec3(0.0), 0u);
    Above to = Above(kNoNode, false);
    if (leaf < count) {
        to = above(shared_parts[i], shared_parts[i + 1u], leaf, leaf);
        subtree = write_leaf(leaf, to.parent);
        to = climb_group(base, subtree, to);
    }
    barrier();

    // Whoever came second to a node of the group has left the other end there.
    uint slot = to.parent - base;
    bool within = to.parent >= base && slot < 255u;
    uint end = to.is_left ? subtree.first : subtree.last;
    bool waits = within && shared_arrivals[min(slot, 255u)] != end;
    if (leaf < count && to.parent != kNoNode && !waits) to = climb(subtree, to, count);
    if (leaf < count && to.parent == kNoNode) write_root(subtree);
}

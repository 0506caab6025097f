#version 460
// Makes a hierarchy cheaper for rays: around every node, from the leaves up, the largest nodes below
// are taken apart into a treelet of a few subtrees, and these are joined again, always the two whose
// common box has the least surface (L. R. Domingues and H. Pedrini, "Bounding Volume Hierarchy
// Optimization through Agglomerative Treelet Restructuring", HPG 2015). What is not cheaper than
// before stays as it was. Who comes to a node second goes on with it, so nobody waits.
//
// No path gets longer than the stacks of traversals: the height of a node is never more than the
// levels that its place in the tree before the pass leaves it. A node that keeps its children does not
// break that if they do not.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint least; // leaves below a node that is worth the while
} params;

#include "memory_order.glsl"
#include "bvh/bvh.glsl"

coherent buffer Nodes { uvec4 values[]; } nodes;
buffer Leaves { uvec4 values[]; } leaves;
coherent buffer Arrivals { uint values[]; } arrivals; // kNobody at the start; then heights
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

const uint kNobody = 0xffffffffu;
const uint kMaxLevels = 96u;
const uint kTreelet = 8u; // subtrees
const uint kParts = 2u * kTreelet - 1u;

// A treelet: its subtrees, and then the nodes that join them, the root last.
struct Part {
    vec3 low;
    vec3 high;
    uint node; // reference
    uint leaves;
    uint height; // 0 of a leaf
};
Part parts[kParts];
uint part_left[kParts];
uint part_right[kParts];

float surface(vec3 low, vec3 high) {
    vec3 size = high - low;
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

Part part_of(uvec4 low, uvec4 high) {
    uint node = low.w;
    Part part = Part(uintBitsToFloat(low.xyz), uintBitsToFloat(high.xyz), node, 1u, 0u);
    if ((node & kLeafBit) == 0u) {
        part.leaves = nodes.values[4u * node + 3u].w;
        part.height = arrivals.values[node];
    }
    return part;
}

// Replaces part `at` by the left child of `node`, and appends the right one as part `count`.
void take_apart(uint node, uint at, uint count) {
    parts[at] = part_of(nodes.values[4u * node], nodes.values[4u * node + 1u]);
    parts[count] = part_of(nodes.values[4u * node + 2u], nodes.values[4u * node + 3u]);
}

struct Treelet {
    uint count;  // of subtrees
    float cost;  // surface of the nodes that joined them, but for the root
};

// Fills `parts` from the nodes below `root`; `slots` are the nodes that have been taken apart.
Treelet form(uint root, out uint slots[kTreelet]) {
    take_apart(root, 0u, 1u);
    slots[0] = root;
    Treelet treelet = Treelet(2u, 0.0);
    while (treelet.count < kTreelet) {
        uint largest = kTreelet;
        float most = -1.0;
        for (uint i = 0u; i < treelet.count; ++i) {
            float size = surface(parts[i].low, parts[i].high);
            if ((parts[i].node & kLeafBit) == 0u && size > most) {
                most = size;
                largest = i;
            }
        }
        if (largest == kTreelet) break;
        uint node = parts[largest].node;
        slots[treelet.count - 1u] = node;
        treelet.cost += most;
        take_apart(node, largest, treelet.count);
        ++treelet.count;
    }
    return treelet;
}

// Joins the subtrees; the last part is then the root. Returns the cost.
float join(uint count, uint slots[kTreelet]) {
    uint current[kTreelet];
    for (uint i = 0u; i < count; ++i)
        current[i] = i;
    float cost = 0.0;
    for (uint left = count; left > 1u; --left) {
        uint a = 0u;
        uint b = 1u;
        float least = 3.4028234e38;
        for (uint i = 0u; i + 1u < left; ++i)
            for (uint j = i + 1u; j < left; ++j) {
                Part p = parts[current[i]];
                Part q = parts[current[j]];
                float size = surface(min(p.low, q.low), max(p.high, q.high));
                if (size < least) {
                    least = size;
                    a = i;
                    b = j;
                }
            }
        Part p = parts[current[a]];
        Part q = parts[current[b]];
        uint made = 2u * count - left;
        // The root of the treelet is made last, and is the node that it was.
        parts[made] = Part(min(p.low, q.low), max(p.high, q.high), slots[left - 2u],
                           p.leaves + q.leaves, 1u + max(p.height, q.height));
        part_left[made] = current[a];
        part_right[made] = current[b];
        if (left > 2u) cost += least;
        current[a] = made;
        current[b] = current[left - 1u];
    }
    return cost;
}

void set_parent(uint reference, uint parent) {
    if ((reference & kLeafBit) != 0u) leaves.values[3u * (reference & ~kLeafBit) + 1u].w = parent;
    else nodes.values[4u * reference + 1u].w = parent;
}

void write_treelet(uint count) {
    for (uint made = 2u * count - 2u; made >= count; --made) {
        Part all = parts[made];
        Part p = parts[part_left[made]];
        Part q = parts[part_right[made]];
        uint at = 4u * all.node;
        nodes.values[at] = uvec4(floatBitsToUint(p.low), p.node);
        nodes.values[at + 1u].xyz = floatBitsToUint(p.high);
        nodes.values[at + 2u] = uvec4(floatBitsToUint(q.low), q.node);
        nodes.values[at + 3u] = uvec4(floatBitsToUint(q.high), all.leaves);
        arrivals.values[all.node] = all.height;
        set_parent(p.node, all.node);
        set_parent(q.node, all.node);
    }
}

// Returns the node's height.
uint improve(uint node, uint height, uint levels_left) {
    uint slots[kTreelet];
    Treelet treelet = form(node, slots);
    if (treelet.count < 4u) return height; // there is nothing to choose
    float cost = join(treelet.count, slots);
    Part root = parts[2u * treelet.count - 2u];
    if (!(cost < treelet.cost) || root.height > levels_left) return height;
    write_treelet(treelet.count);
    return root.height;
}

void main() {
    uint leaf = invocation_index();
    if (leaf >= bvh_status.elements[0].leaves) return;
    uint node = leaves.values[3u * leaf + 1u].w;
    // Nothing above changes before this leaf has arrived there.
    uint above = 0u; // nodes above `node`
    for (uint at = node; at != kNoNode; at = nodes.values[4u * at + 1u].w)
        ++above;
    uint height = 0u;
    while (node != kNoNode) {
        --above;
        order_buffers();
        uint other = atomicExchange(arrivals.values[node], height);
        if (other == kNobody) return;
        order_buffers();
        height = 1u + max(height, other);
        uint parent = nodes.values[4u * node + 1u].w;
        if (nodes.values[4u * node + 3u].w >= params.least)
            height = improve(node, height, kMaxLevels - 1u - above);
        arrivals.values[node] = height;
        node = parent;
    }
}

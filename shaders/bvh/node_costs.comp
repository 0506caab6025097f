#version 460
// What a ray may be expected to pay for each node, and how large the hierarchy is.
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 256) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint heap = 0u; // 1: nodes of a heap, else binary ones

uniform Params {
    uint count; // slots of nodes, at least as many as leaves
} params;

#include "bvh/bvh.glsl"

readonly buffer Nodes { uvec4 values[]; } nodes;
readonly buffer Leaves { uvec4 values[]; } leaves;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
writeonly buffer Costs { float values[]; } costs;
buffer Tally {
    uint nodes;
    uint leaves;
    uint largest_leaf; // triangles
    uint levels;
} tally;

vec3 corner_of(float numbers[4]) {
    return vec3(numbers[0], numbers[1], numbers[2]);
}

float area(vec3 low, vec3 high) {
    vec3 size = high - low;
    return size.x * size.y + size.y * size.z + size.z * size.x;
}
// Where the whole has no area, every ray that comes near counts as meeting every box.
float share(uvec4 low, uvec4 high) {
    float all = area(corner_of(bvh_status.elements[0].low), corner_of(bvh_status.elements[0].high));
    if (!(all > 0.0)) return 1.0;
    return area(uintBitsToFloat(low.xyz), uintBitsToFloat(high.xyz)) / all;
}

struct Found {
    float cost; // a box and a triangle cost 1 each
    uint nodes;
    uint leaves;
    uint largest;
    uint level; // the root is of level 1
};

Found heap_node(uint i) {
    Found found = Found(0.0, 0u, 0u, 0u, 0u);
    if (i == 0u || bvh_status.elements[0].root == kNoNode) return found;
    uvec4 low = nodes.values[2u * i];
    if (low.w == kHeapInvalid) return found;
    bool is_leaf = (low.w & kHeapLeaf) != 0u;
    found.leaves = is_leaf ? 1u : 0u;
    found.nodes = is_leaf ? 0u : 1u;
    found.largest = is_leaf ? low.w >> 3u : 0u;
    found.level = uint(findMSB(i)) + 1u;
    found.cost = share(low, nodes.values[2u * i + 1u]) * (is_leaf ? float(low.w >> 3u) : 1.0);
    return found;
}

// Node i, with what its children cost, and leaf i.
Found binary_node(uint i) {
    Found found = Found(0.0, 0u, 0u, 0u, 0u);
    if (i < bvh_status.elements[0].nodes) {
        found.nodes = 1u;
        found.cost = share(nodes.values[4u * i], nodes.values[4u * i + 1u]) +
                     share(nodes.values[4u * i + 2u], nodes.values[4u * i + 3u]);
    }
    if (i < bvh_status.elements[0].leaves) {
        found.leaves = 1u;
        found.largest = 1u;
        found.level = 1u;
        uint above = leaves.values[3u * i + 1u].w;
        while (above != kNoNode) {
            ++found.level;
            above = nodes.values[4u * above + 1u].w;
        }
        if (i == 0u) found.cost += 1.0; // the root
    }
    return found;
}

void main() {
    uint i = invocation_index();
    Found found = Found(0.0, 0u, 0u, 0u, 0u);
    if (i < params.count) {
        if (heap != 0u) found = heap_node(i);
        else found = binary_node(i);
        costs.values[i] = found.cost;
    }
    uint nodes_here = subgroupAdd(found.nodes);
    uint leaves_here = subgroupAdd(found.leaves);
    uint largest = subgroupMax(found.largest);
    uint level = subgroupMax(found.level);
    if (subgroupElect() && nodes_here + leaves_here != 0u) {
        atomicAdd(tally.nodes, nodes_here);
        atomicAdd(tally.leaves, leaves_here);
        atomicMax(tally.largest_leaf, largest);
        atomicMax(tally.levels, level);
    }
}

#version 460
// What a ray may be expected to pay for each wide node, and how large the hierarchy is. One group goes
// through the nodes level by level: which slots hold nodes is known from the root down only.

layout(local_size_x = 256) in;

#include "bvh/bvh.glsl"

readonly buffer Nodes { uvec4 values[]; } nodes;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
coherent buffer Queue { uint values[]; } queue; // nodes, level by level
writeonly buffer Costs { float values[]; } costs; // by slot; 0 at the start
buffer Tally {
    uint nodes;
    uint leaves;
    uint largest_leaf; // triangles
    uint levels;
} tally;

shared uint queue_end;
shared uint leaf_count;

vec3 corner_of(float numbers[4]) {
    return vec3(numbers[0], numbers[1], numbers[2]);
}

float area(vec3 size) {
    return size.x * size.y + size.y * size.z + size.z * size.x;
}

// Where the whole has no area, every ray that comes near counts as meeting every box.
float share_of(vec3 size) {
    vec3 high = corner_of(bvh_status.elements[0].high);
    float all = area(high - corner_of(bvh_status.elements[0].low));
    return all > 0.0 ? area(size) / all : 1.0;
}

uint byte_at(uint at, uint plane, uint child) {
    uint word = 2u * plane + (child >> 2u);
    return nodes.values[at + 3u + (word >> 2u)][word & 3u] >> (8u * (child & 3u)) & 255u;
}

// Of a node: eight boxes are tested whatever it holds, but only those that there are cost anything
// below. Adds the children that are nodes to the queue.
float visit(uint node) {
    uint at = kWideQuads * node;
    uint exponents = nodes.values[at].w;
    vec3 size = vec3(step_of(exponents & 255u), step_of(exponents >> 8u & 255u),
                     step_of(exponents >> 16u & 255u));
    float cost = 0.0;
    for (uint child = 0u; child < kWideChildren; ++child) {
        uint reference = nodes.values[at + 1u + (child >> 2u)][child & 3u];
        if (reference == kNoNode) continue;
        vec3 steps;
        for (uint axis = 0u; axis < 3u; ++axis)
            steps[axis] = float(byte_at(at, 3u + axis, child)) - float(byte_at(at, axis, child));
        cost += share_of(steps * size);
        if ((reference & kLeafBit) != 0u) atomicAdd(leaf_count, 1u);
        else queue.values[atomicAdd(queue_end, 1u)] = reference;
    }
    return cost;
}

void main() {
    uint i = gl_LocalInvocationIndex;
    uint root = bvh_status.elements[0].root;
    bool has_nodes = root != kNoNode && (root & kLeafBit) == 0u;
    if (i == 0u) {
        queue_end = has_nodes ? 1u : 0u;
        leaf_count = root != kNoNode && !has_nodes ? 1u : 0u;
        if (has_nodes) queue.values[0] = root;
        else if (root != kNoNode) costs.values[0] = 1.0;
    }
    memoryBarrierBuffer();
    barrier();
    uint begin = 0u;
    uint levels = leaf_count;
    uint end = queue_end;
    while (begin < end) {
        barrier(); // all have read where the level ends
        for (uint k = begin + i; k < end; k += gl_WorkGroupSize.x) {
            uint node = queue.values[k];
            costs.values[node] = visit(node) + (k == 0u ? 1.0 : 0.0); // and the root's own box
        }
        memoryBarrierBuffer();
        memoryBarrierShared();
        barrier();
        begin = end;
        end = queue_end;
        ++levels;
    }
    if (i != 0u) return;
    tally.nodes = queue_end;
    tally.leaves = leaf_count;
    tally.largest_leaf = min(leaf_count, 1u);
    tally.levels = levels + (has_nodes ? 1u : 0u);
}

#version 460
// Writes the leaves of the next step; those of the one before where there is no room for them.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "bisect_params.glsl"
#include "sums.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Count { uint words[2]; } count;
readonly buffer Plans { uint words[]; } plans;
readonly buffer Offsets { uint words[]; } offsets;
readonly buffer Total { uint word; } total;
writeonly buffer NextKeys { uvec2 nodes[]; } next_keys;
writeonly buffer NextCount { uint words[2]; } next_count;
buffer Status { uint words[]; } status;

void main() {
    uint i = invocation_index();
    uint leaves = count.words[0];
    bool fits = total.word <= params.capacity;
    uint made = fits ? total.word : leaves;
    if (i == 0u) {
        next_count.words[0] = made;
        next_count.words[1] = params.reset;
        status.words[kListed] = made;
        status.words[kLeaves] = made;
        if (!fits) status.words[kRefused] = total.word - params.capacity;
    }
    if (i >= leaves) return;
    uvec2 node = keys.nodes[i];
    if (!fits) {
        next_keys.nodes[i] = node;
        return;
    }
    uint at = offsets.words[i];
    uint end = i + 1u < leaves ? offsets.words[i + 1u] : total.word;
    uint plan = plans.words[i];
    if (plan == 0u) {
        if (end == at) { // the second of a pair that is merged
            atomicAdd(status.words[kChanged], 1u);
            return;
        }
        // The first of such a pair becomes their parent.
        uint after = i + 2u < leaves ? offsets.words[i + 2u] : total.word;
        bool merged = i + 1u < leaves && (node.x & 1u) == 0u && after == end &&
                      keys.nodes[i + 1u] == uvec2(node.x | 1u, node.y);
        next_keys.nodes[at] = merged ? wide_parent(node) : node;
        return;
    }
    atomicAdd(status.words[kChanged], end - at - 1u);
    for (uint right = 0u; right < 2u; ++right) {
        uvec2 child = wide_child(node, right);
        if ((plan >> (1u + right) & 1u) == 0u) {
            next_keys.nodes[at++] = child;
        } else {
            next_keys.nodes[at++] = wide_child(child, 0u);
            next_keys.nodes[at++] = wide_child(child, 1u);
        }
    }
}

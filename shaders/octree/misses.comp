#version 460
// Misses: what rays went through becomes less likely to be occupied.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "pool.glsl"
#include "status.glsl"
#include "touched.glsl"

uniform Params {
    uint miss;   // of alpha, for one ray
    uint below;  // levels of nodes below those that have marks
    uint room;   // blocks
} params;

layout(constant_id = 2) const uint kOnce = 0u; // however many rays go through a node

readonly buffer Misses { uint words[]; } misses;
buffer Nodes { uvec2 values[]; } nodes;
readonly buffer Status { TreeStatus elements[]; } status;

void miss(uint node, uint times) {
    uint value = nodes.values[node].y;
    uint alpha = value >> 24u;
    uint loss = params.miss * (kOnce != 0u ? 1u : min(times, 255u));
    nodes.values[node].y = value & 0xffffffu | alpha - min(alpha, loss) << 24u;
    touch(node / 8u);
}

// All nodes without children below `node`, which has some. Three bits of `way` say which child is
// next; where there is none further down, only the first of its ways counts.
void miss_below(uint node, uint times) {
    for (uint way = 0u; way < 1u << 3u * params.below; ++way) {
        uint at = node;
        uint rest = way;
        uint levels = params.below;
        while (levels > 0u && (nodes.values[at].x & kHasChildren) != 0u) {
            at = (nodes.values[at].x & kFirstChild) + (rest & 7u);
            rest >>= 3u;
            --levels;
        }
        if (rest == 0u) miss(at, times);
    }
}

void main() {
    uint node = invocation_index();
    uint free_blocks = min(status.elements[0].free, status.elements[0].wanted);
    uint used = min(status.elements[0].blocks + status.elements[0].wanted - free_blocks, params.room);
    if (node >= 8u * used) return;
    uint times = misses.words[node];
    if (times == 0u) return;
    if ((nodes.values[node].x & kHasChildren) != 0u) miss_below(node, times);
    else miss(node, times);
}

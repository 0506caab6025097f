#version 460
// Hits: each leaf that points are in becomes more likely to be occupied, and its colour more like
// theirs.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "key.glsl"
#include "pool.glsl"
#include "status.glsl"
#include "touched.glsl"

uniform Params {
    uint hit;         // of alpha, for one point
    uint miss_level;  // where rays leave their marks
} params;

layout(constant_id = 0) const uint kKeepsFractions = 1u; // else the printed blend
layout(constant_id = 1) const uint kCarves = 0u;
layout(constant_id = 2) const uint kOnce = 0u; // however many points are in a leaf

readonly buffer Keys { uint words[]; } keys;
readonly buffer Sums { uvec4 values[]; } sums;
readonly buffer LeafList { uint points[]; } leaf_list;
buffer Nodes { uvec2 values[]; } nodes;
buffer Fractions { uint words[]; } fractions; // 10 bits a channel: 1/1024 of a step, two's complement
writeonly buffer Misses { uint words[]; } misses;
buffer Status { TreeStatus elements[]; } status;

uvec2 stored_key(uint point) {
    if (kKeyWords == 1u) return uvec2(keys.words[point], 0u);
    return uvec2(keys.words[2u * point], keys.words[2u * point + 1u]);
}

// The mean of `count` numbers in 1/1024, rounded.
uint fine_mean(uint sum, uint count) {
    uint rest = sum % count;
    uint by = count;
    if (by >> 21u != 0u) { // keeps the product in 32 bits
        rest >>= 4u;
        by >>= 4u;
    }
    return (sum / count << 10u) + ((rest << 10u) + by / 2u) / by;
}

// As printed: each observation weighs as much as the occupancy leaves, and parts of a step are lost.
uint printed_blend(uint value, uvec4 sum) {
    uint alpha = value >> 24u;
    uint result = 0u;
    for (uint i = 0u; i < 3u; ++i) {
        uint seen = sum[i] / sum.w;
        uint old = value >> 8u * i & 0xffu;
        result |= (seen * (256u - alpha) + old * alpha >> 8u) << 8u * i;
    }
    return result;
}

// The same with 18 bits a channel, and what is seen first is taken as it is.
uint fine_blend(uint node, uvec2 old, uvec4 sum) {
    uint alpha = (old.x & kWasHit) != 0u ? old.y >> 24u : 0u;
    uint before = fractions.words[node];
    uint result = 0u;
    uint rests = 0u;
    for (uint i = 0u; i < 3u; ++i) {
        int rest = int(before << 22u - 10u * i) >> 22;
        uint kept = uint(int((old.y >> 8u * i & 0xffu) << 10u) + rest);
        uint now = fine_mean(sum[i], sum.w) * (256u - alpha) + kept * alpha + 128u >> 8u;
        uint rounded = min(now + 512u >> 10u, 255u);
        result |= rounded << 8u * i;
        rests |= (uint(int(now) - int(rounded << 10u)) & 0x3ffu) << 10u * i;
    }
    fractions.words[node] = rests;
    return result;
}

void main() {
    uint i = invocation_index();
    if (i >= status.elements[0].leaves) return;
    uint point = leaf_list.points[i];
    uvec2 key = stored_key(point);
    uint node = 0u;
    uint first = 0u;
    for (uint level = 1u; level <= kDepth; ++level) {
        node = first + octant_at(key, level);
        if (kCarves != 0u && level == params.miss_level) misses.words[node] = 0u; // hits win
        if (level == kDepth) break;
        uint word = nodes.values[node].x;
        if ((word & kHasChildren) == 0u) {
            atomicAdd(status.elements[0].lost, 1u);
            return;
        }
        first = word & kFirstChild;
    }
    uvec2 old = nodes.values[node];
    uvec4 sum = sums.values[point];
    uint color = kKeepsFractions != 0u ? fine_blend(node, old, sum) : printed_blend(old.y, sum);
    uint hits = kOnce != 0u ? 1u : min(sum.w, 255u);
    uint alpha = min((old.y >> 24u) + params.hit * hits, 255u);
    nodes.values[node] = uvec2(old.x | kWasHit, color | alpha << 24u);
    touch(node / 8u);
}

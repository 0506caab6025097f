#version 460
// Values of nodes whose children have changed, from the leaves up, and blocks that nothing is in any
// more go to the free list. Whoever comes to a block last goes on with it, so nobody waits, and all
// levels take one dispatch.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "pool.glsl"
#include "status.glsl"

uniform Params {
    uint room;       // blocks
    uint prunes;
    uint free_below; // alpha of leaves that are given up, at most
} params;

layout(constant_id = 0) const uint kWeighted = 1u; // else the plain mean
// A memory barrier makes nobody wait; llvmpipe (Mesa 22.3) waits at one for the whole group. See
// DeviceCaps::barriers_in_branches.
layout(constant_id = 33) const uint kBarriersInBranches = 1u;

coherent buffer Nodes { uvec2 values[]; } nodes;
readonly buffer Blocks { uint parents[]; } blocks;
readonly buffer Pending { uint words[]; } pending;
coherent buffer Arrived { uint words[]; } arrived;
writeonly buffer Free { uint numbers[]; } free;
buffer Status { TreeStatus elements[]; } status;

const uint kTouched = 0x80000000u; // as touched.glsl

void order_buffers() {
    if (kBarriersInBranches != 0u) memoryBarrierBuffer();
}

uint plain_mean(uvec2 children[8]) {
    uint result = 0u;
    for (uint channel = 0u; channel < 4u; ++channel) {
        uint sum = 4u;
        for (uint i = 0u; i < 8u; ++i)
            sum += children[i].y >> 8u * channel & 0xffu;
        result |= sum >> 3u << 8u * channel;
    }
    return result;
}

// Colours weigh as much as their nodes are occupied. Alpha above 127 is the mean of what the
// occupied ones have above it, rounded up: so a node is occupied where any of its children is, and
// as opaque as they are on average. Where none is, it is the mean.
uint weighted_mean(uvec2 children[8]) {
    uint occupied = 0u;
    uint all = 0u;
    for (uint i = 0u; i < 8u; ++i) {
        uint alpha = children[i].y >> 24u;
        occupied += max(alpha, kUnknown) - kUnknown;
        all += alpha;
    }
    uint alpha = occupied > 0u ? kUnknown + (occupied + 7u >> 3u) : all + 4u >> 3u;
    uint result = alpha << 24u;
    uint weights = occupied > 0u ? occupied : all;
    if (weights == 0u) return result;
    for (uint channel = 0u; channel < 3u; ++channel) {
        uint sum = weights >> 1u;
        for (uint i = 0u; i < 8u; ++i) {
            uint own = children[i].y >> 24u;
            uint weight = occupied > 0u ? max(own, kUnknown) - kUnknown : own;
            sum += weight * (children[i].y >> 8u * channel & 0xffu);
        }
        result |= sum / weights << 8u * channel;
    }
    return result;
}

bool is_given_up(uvec2 children[8]) {
    for (uint i = 0u; i < 8u; ++i)
        if ((children[i].x & kHasChildren) != 0u || children[i].y >> 24u > params.free_below)
            return false;
    return true;
}

void main() {
    uint block = invocation_index();
    uint base = status.elements[0].free;
    uint wanted = status.elements[0].wanted;
    uint used = min(status.elements[0].blocks + wanted - min(base, wanted), params.room);
    if (block >= used || pending.words[block] != kTouched) return;
    uint left = base - min(base, wanted);
    for (;;) {
        uvec2 children[8];
        for (uint i = 0u; i < 8u; ++i)
            children[i] = nodes.values[8u * block + i];
        uint value = kWeighted != 0u ? weighted_mean(children) : plain_mean(children);
        if (block == 0u) {
            status.elements[0].root = value;
            return;
        }
        uint parent = blocks.parents[block];
        nodes.values[parent].y = value;
        if (params.prunes != 0u && is_given_up(children)) {
            nodes.values[parent].x = nodes.values[parent].x & kWasHit;
            free.numbers[left + atomicAdd(status.elements[0].freed, 1u)] = block;
        }
        order_buffers();
        block = parent / 8u;
        uint others = pending.words[block] & ~kTouched;
        if (atomicAdd(arrived.words[block], 1u) + 1u != others) return;
        order_buffers();
    }
}

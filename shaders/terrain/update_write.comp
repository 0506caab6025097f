#version 460
// Second half of a step of a tree: writes its leaves, in the order of key.glsl. Divisions for
// which there is no room are refused, the last ones first. A tree with holes or overlaps begins
// again with its roots.
//! variants KEY_WORDS=1,2

const uint kInvocations = 256u;
layout(local_size_x = 256) in;

#include "key.glsl"

uniform Params { // as in tree.glsl
    uint faces;
    uint capacity;
    uint reset;
} params;

#include "update.glsl"

readonly buffer Fates { uint values[]; } fates;
readonly buffer Sums { uvec2 values[]; } sums;
writeonly buffer Keys { TreeKey values[]; } keys;
writeonly buffer Status { // as in emit.glsl
    uint count;
    uint refused;
    uint resets;
    uint broken;
    uint deepest;
    uint total;
    uint mark;
} status;
writeonly buffer Kept { uint words[7]; } kept; // the same, for the frame to come

shared uint sums_before[2];
shared uint sums_of_all[3]; // the third: holes and overlaps

// Of the groups before this one, and of all.
void add_up_groups(uint groups) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < 2u) sums_before[lane] = 0u;
    if (lane < 3u) sums_of_all[lane] = 0u;
    barrier();
    uvec2 own_before = uvec2(0u);
    uvec3 own = uvec3(0u);
    for (uint i = lane; i < groups; i += kInvocations) {
        uvec2 sum = sums.values[i];
        uvec3 parts = uvec3(sum.x, sum.y & 0xffffu, sum.y >> 16u);
        own += parts;
        if (i < group_index()) own_before += parts.xy;
    }
    own = uvec3(subgroupAdd(own.x), subgroupAdd(own.y), subgroupAdd(own.z));
    own_before = uvec2(subgroupAdd(own_before.x), subgroupAdd(own_before.y));
    if (subgroupElect()) {
        atomicAdd(sums_before[0], own_before.x);
        atomicAdd(sums_before[1], own_before.y);
        for (uint k = 0u; k < 3u; ++k) atomicAdd(sums_of_all[k], own[k]);
    }
    barrier();
}

void write_status(uint count, uint refused, uint resets, uint broken) {
    status.count = count;
    status.refused = refused;
    status.resets = resets;
    status.broken = broken;
    status.deepest = 0u;
    status.total = count;
    status.mark = params.reset;
    kept.words = uint[7](count, refused, resets, broken, 0u, count, params.reset);
}

void write_roots() {
    uint face = invocation_index();
    if (face < params.faces) keys.values[face] = key_of(Node(0u, face, uvec2(0u)));
    if (face == 0u) {
        write_status(params.faces, 0u, before_status.resets + 1u, sums_of_all[2]);
    }
}

void main() {
    uint count = leaf_count();
    uint groups = (count + kInvocations - 1u) / kInvocations;
    if (group_index() >= groups) return;
    add_up_groups(groups);
    if (sums_of_all[2] > 0u) {
        write_roots();
        return;
    }
    uint room = (params.capacity - sums_of_all[0]) / 3u; // divisions
    uint i = invocation_index();
    uint fate = i < count ? fates.values[i] : kVanish;
    uint sum = exclusive_sum(uint(fate != kVanish) | uint(fate == kDivide) << 16u);
    uint divisions = sums_before[1] + (sum >> 16u);
    uint at = sums_before[0] + (sum & 0xffffu) + 3u * min(divisions, room);
    if (fate != kVanish) {
        Node node = leaf_at(i);
        if (fate == kDivide && divisions < room)
            for (uint q = 0u; q < 4u; ++q) keys.values[at + q] = key_of(child_of(node, q));
        else if (fate == kMerge)
            keys.values[at] = key_of(parent_of(node));
        else
            keys.values[at] = key_of(node);
    }
    if (i == 0u) {
        uint divided = min(sums_of_all[1], room);
        write_status(sums_of_all[0] + 3u * divided, sums_of_all[1] - divided, before_status.resets,
                     0u);
    }
}

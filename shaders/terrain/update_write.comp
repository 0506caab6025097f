#version 460
// Second half of a step of a tree: writes its leaves, in the order of key.glsl, and how many levels
// coarser the neighbours of each are. Divisions for which there is no room are refused, the last
// ones first. A tree with holes or overlaps begins again with its roots.
//
// The neighbours are looked up in the list before the step, for the list after it is being written:
// where a leaf lay, its fate says what lies there now.
//! variants KEY_WORDS=1,2

const uint kInvocations = 256u;
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint finds_edges = 1u; // 0: a further step follows

#include "lod.glsl"

uniform Params { // as in tree.glsl
    uint faces;
    uint capacity;
    uint reset;
} params;

#include "update.glsl"

readonly buffer Fates { uint values[]; } fates;
readonly buffer Sums { uint values[]; } sums; // of update_count.comp
writeonly buffer Keys { TreeKey values[]; } keys;
writeonly buffer Edges { uint values[]; } edges; // as `coarser_by` of tree.glsl
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

// Sums of groups: leaves without divisions, divisions, holes and overlaps.
uvec3 sums_of_group(uint group) {
    return uvec3(sums.values[group], sums.values[group] >> 10u, sums.values[group] >> 20u) & 1023u;
}

shared uint shared_sums[5];
struct Totals {
    uvec2 before; // of the groups before this one
    uvec3 all;
};

Totals add_up_groups(uint groups) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < 5u) shared_sums[lane] = 0u;
    uvec2 own_before = uvec2(0u);
    uvec3 own = uvec3(0u);
    for (uint i = lane; i < groups; i += kInvocations) {
        uvec3 sum = sums_of_group(i);
        own += sum;
        if (i < group_index()) own_before += sum.xy;
    }
    barrier(); // also brings together what the loop parted, for the sums
    own = subgroupAdd(own);
    own_before = subgroupAdd(own_before);
    if (subgroupElect()) {
        for (uint i = 0u; i < 2u; ++i) atomicAdd(shared_sums[i], own_before[i]);
        for (uint i = 0u; i < 3u; ++i) atomicAdd(shared_sums[2u + i], own[i]);
    }
    barrier();
    return Totals(uvec2(shared_sums[0], shared_sums[1]),
                uvec3(shared_sums[2], shared_sums[3], shared_sums[4]));
}

// The first leaf whose division is refused: the one with `room` divisions before it. There is one.
shared uint full_group;
shared uint room_in_group;
shared uint first_refused;
uint first_refused_of(uint groups, uint room, uint count) {
    uint lane = gl_LocalInvocationIndex;
    uint divisions = 0u; // before the chunk
    for (uint first = 0u; first < groups; first += kInvocations) {
        uint own = first + lane < groups ? sums_of_group(first + lane).y : 0u;
        uint to = divisions + exclusive_sum(own);
        if (to <= room && room < to + own) {
            full_group = first + lane;
            room_in_group = room - to;
        }
        divisions += group_sum;
        barrier();
    }
    uint i = full_group * kInvocations + lane;
    bool divides = i < count && fates.values[i] == kDivide;
    if (exclusive_sum(divides ? 1u : 0u) == room_in_group && divides) first_refused = i;
    barrier();
    return first_refused;
}

// Every so many leaves one, so that a look-up reads little beyond shared memory.
const uint kSamples = 256u;
shared uvec2 samples[kSamples];
struct Lookup {
    Leaves leaves;
    uint stride; // a power of two
    uint first_refused;
};

uint stride_of(uint count) {
    uint least = (count + kSamples - 1u) / kSamples;
    return least <= 1u ? 1u : 2u << findMSB(least - 1u);
}

// The leaves, before the step, in which four places lie. The four searches run side by side.
uvec4 leaves_around(uvec2 places[kSides], Lookup lookup) {
    uint count = lookup.leaves.count;
    uint sample_count = (count + lookup.stride - 1u) / lookup.stride;
    uvec4 found = uvec4(0u);
    for (uint by = kSamples / 2u; by > 0u; by >>= 1u)
        for (uint side = 0u; side < kSides; ++side) {
            uint next = found[side] + by;
            uvec2 begin = samples[min(next, kSamples - 1u)];
            if (next < sample_count && !is_before(places[side], begin)) found[side] = next;
        }
    found *= lookup.stride;
    for (uint by = lookup.stride / 2u; by > 0u; by >>= 1u)
        for (uint side = 0u; side < kSides; ++side) {
            uint next = found[side] + by;
            uvec2 begin = begin_at(lookup.leaves, min(next, count - 1u));
            if (next < count && !is_before(places[side], begin)) found[side] = next;
        }
    return found;
}

// After the step, of the leaf that begins where leaf i began.
uint level_after(uint i, Lookup lookup) {
    uint level = leaf_at(lookup.leaves, i).level;
    uint fate = fates.values[i];
    if (fate == kDivide) return i < lookup.first_refused ? level + 1u : level;
    return fate == kKeep ? level : level - 1u;
}

uint edges_of(Node node, Lookup lookup) {
    uvec2 places[kSides];
    uint sides = 0u; // with neighbours that may be coarser
    for (uint side = 0u; side < kSides; ++side) {
        Node beyond;
        bool is_there = neighbour_of(node, side, beyond);
        // Siblings are at least as fine.
        if (is_there && !same_node(parent_of(beyond), parent_of(node))) sides |= 1u << side;
        places[side] = begin_of(beyond);
    }
    uvec4 around = leaves_around(places, lookup);
    uint result = 0u;
    for (uint side = 0u; side < kSides; ++side) {
        uint level = level_after(around[side], lookup);
        if ((sides >> side & 1u) != 0u && level < node.level)
            result |= min(node.level - level, 15u) << (4u * side);
    }
    return result;
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

void write_roots(uint faults) {
    uint face = invocation_index();
    if (face < params.faces) {
        keys.values[face] = key_of(Node(0u, face, uvec2(0u)));
        edges.values[face] = 0u;
    }
    if (face == 0u) write_status(params.faces, 0u, before_status.resets + 1u, faults);
}

// Which leaf becomes each leaf of this group, times eight, and how: kStay, kParent, or kChild and
// the quadrant.
shared uint made[4u * kInvocations];
const uint kStay = 0u;
const uint kParent = 1u;
const uint kChild = 4u;

Node node_made(uint how, Leaves leaves) {
    Node node = leaf_at(leaves, how >> 3u);
    if ((how & kChild) != 0u) return child_of(node, how & 3u);
    if ((how & kParent) != 0u) return parent_of(node);
    return node;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint i = invocation_index();
    Leaves leaves = leaves_before();
    uint count = leaves.count;
    uint groups = (count + kInvocations - 1u) / kInvocations;
    if (group_index() >= groups) return;
    Totals total = add_up_groups(groups);
    if (total.all.z > 0u) {
        write_roots(total.all.z);
        return;
    }
    uint room = (params.capacity - total.all.x) / 3u; // divisions
    Lookup lookup = Lookup(leaves, stride_of(count), 0xffffffffu);
    if (total.all.y > room) lookup.first_refused = first_refused_of(groups, room, count);
    if (lane * lookup.stride < count) samples[lane] = begin_at(leaves, lane * lookup.stride);

    uint fate = i < count ? fates.values[i] : kVanish;
    bool divides = fate == kDivide && i < lookup.first_refused;
    uint own = fate == kVanish ? 0u : divides ? 4u : 1u;
    uint at = exclusive_sum(own);
    uint made_here = group_sum;
    if (divides)
        for (uint q = 0u; q < 4u; ++q) made[at + q] = i << 3u | kChild | q;
    else if (fate != kVanish)
        made[at] = i << 3u | (fate == kMerge ? kParent : kStay);
    barrier();
    uint first = total.before.x + 3u * min(total.before.y, room);
    for (uint k = lane; k < made_here; k += kInvocations) {
        Node node = node_made(made[k], leaves);
        keys.values[first + k] = key_of(node);
        if (finds_edges != 0u) edges.values[first + k] = edges_of(node, lookup);
    }
    if (i == 0u) {
        uint divided = min(total.all.y, room);
        write_status(total.all.x + 3u * divided, total.all.y - divided, before_status.resets, 0u);
    }
}

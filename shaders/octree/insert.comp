#version 460
// The leaves that points are in, each once, with the sums of its points; and a block for each node
// that must get children. Blocks are linked by the next kernel, so that nobody walks into one that
// is being made: all levels at once.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "key.glsl"
#include "new_block.glsl"
#include "table.glsl"

uniform Params {
    uint points;
    uint slots;   // powers of two
    uint parents;
} params;

readonly buffer Points { uvec4 values[]; } points;
layout(constant_id = 0) const uint has_count = 0u;
readonly buffer Count { uint words[]; } count;
layout(constant_id = 1) const uint kAtOnce = 1u; // else blocks are made level by level
readonly buffer Keys { uint words[]; } keys;
buffer Leaves { uint slots[]; } leaves;        // point + 1
buffer Sums { uint words[]; } sums;            // four for each point that stands for a leaf
writeonly buffer LeafList { uint points[]; } leaf_list;
coherent buffer Parents { uint slots[]; } parents; // what was swapped in is looked for again
writeonly buffer ParentBlocks { uint numbers[]; } parent_blocks; // by slot
writeonly buffer Made { uint slots[]; } made;
buffer Groups { uint words[]; } groups;

const uint kLanes = 256u;
const uint kGroupSlots = 512u;
const uint kNobody = 0xffffffffu;

shared uvec2 lane_keys[kLanes];
shared uint lane_sums[4u * kLanes];
shared uint group_slots[kGroupSlots]; // lane
shared uint group_leaves;
shared uint group_blocks;
shared uint first_leaf;
shared uint first_block;
shared uint group_outside;

uvec2 stored_key(uint point) {
    if (kKeyWords == 1u) return uvec2(keys.words[point], 0u);
    return uvec2(keys.words[2u * point], keys.words[2u * point + 1u]);
}

// The lane that stands for all of the group in the same leaf.
uint standing_for(uvec2 key, uint lane) {
    uint slot = hash_of(key) % kGroupSlots;
    for (uint i = 0u; i < kGroupSlots; ++i) {
        uint other = atomicCompSwap(group_slots[slot], kNobody, lane);
        if (other == kNobody) return lane;
        if (lane_keys[other] == key) return other;
        slot = (slot + 1u) % kGroupSlots;
    }
    return lane; // never: there are more slots than lanes
}

// The point that stands for the leaf, this one where nobody did before.
uint enter_leaf(uvec2 key, uint point) {
    uint slot = hash_of(key) & params.slots - 1u;
    for (uint i = 0u; i < kMaxProbes; ++i) {
        uint other = atomicCompSwap(leaves.slots[slot], 0u, point + 1u);
        if (other == 0u) return point;
        if (stored_key(other - 1u) == key) return other - 1u;
        slot = slot + 1u & params.slots - 1u;
    }
    return kNobody;
}

// Whether this lane is the first to say that the node at `level` gets children.
bool enter_parent(uvec2 key, uint point, uint level) {
    uvec2 own = shortened(key, kDepth - level);
    uint slot = hash_of(own) & params.parents - 1u;
    for (uint i = 0u; i < kMaxProbes; ++i) {
        uint other = atomicCompSwap(parents.slots[slot], 0u, named(point, level));
        if (other == 0u) return true;
        if (shortened(stored_key(point_of(other)), kDepth - level_of(other)) == own) return false;
        slot = slot + 1u & params.parents - 1u;
    }
    atomicAdd(status.elements[0].no_room, 1u); // the leaf is lost in this update
    return false;
}

uint slot_of(uvec2 key, uint point, uint level) {
    uint slot = hash_of(shortened(key, kDepth - level)) & params.parents - 1u;
    for (uint i = 0u; i < kMaxProbes; ++i) {
        if (parents.slots[slot] == named(point, level)) return slot;
        slot = slot + 1u & params.parents - 1u;
    }
    return kNoSlot; // never: it was entered
}

// How deep the tree goes where the leaf is.
uint depth_at(uvec2 key) {
    uint node = octant_at(key, 1u);
    uint level = 1u;
    for (; level < kDepth; ++level) {
        uint word = nodes.values[node].x;
        if ((word & kHasChildren) == 0u) break;
        node = (word & kFirstChild) + octant_at(key, level + 1u);
    }
    return level;
}

// Groups of 256 for one more thing.
void count_groups(uint list, uint number) {
    if (number % 256u == 0u) atomicMax(groups.words[4u * list], number / 256u + 1u);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint point = invocation_index();
    bool there = point < params.points && (has_count == 0u || point < count.words[0]);
    uvec2 key = kNoKey;
    uint color = 0u;
    if (there) {
        key = stored_key(point);
        color = points.values[point].w;
    }
    bool outside = there && key == kNoKey;
    bool hits = key != kNoKey && color >> 24u != 0u;

    lane_keys[lane] = key;
    for (uint i = 0u; i < 4u; ++i)
        lane_sums[4u * lane + i] = 0u;
    group_slots[lane] = kNobody;
    group_slots[lane + kLanes] = kNobody;
    if (lane == 0u) {
        group_leaves = 0u;
        group_blocks = 0u;
        group_outside = 0u;
    }
    barrier();
    uint owner = lane;
    if (hits) {
        owner = standing_for(key, lane);
        for (uint i = 0u; i < 3u; ++i)
            atomicAdd(lane_sums[4u * owner + i], color >> 8u * i & 0xffu);
        atomicAdd(lane_sums[4u * owner + 3u], 1u);
    }
    if (outside) atomicAdd(group_outside, 1u);
    barrier();

    bool is_new = false;
    uint leaf = 0u;   // number in the group
    uint block = 0u;  // number of the lane's first new block in the group
    uint wanted = 0u; // blocks, at levels kDepth - 1, kDepth - 2, ...
    if (hits && owner == lane) {
        uint stands = enter_leaf(key, point);
        if (stands == kNobody) {
            atomicAdd(status.elements[0].lost, 1u);
        } else {
            for (uint i = 0u; i < 4u; ++i)
                atomicAdd(sums.words[4u * stands + i], lane_sums[4u * lane + i]);
            is_new = stands == point;
        }
    }
    if (is_new) leaf = atomicAdd(group_leaves, 1u);
    if (is_new && kAtOnce != 0u) {
        uint reached = depth_at(key);
        // Whoever was first at a level goes on with those above it.
        for (uint level = kDepth - 1u; level >= reached; --level) {
            if (!enter_parent(key, point, level)) break;
            ++wanted;
        }
        if (wanted > 0u) block = atomicAdd(group_blocks, wanted);
    }
    barrier();
    if (lane == 0u) {
        first_leaf = group_leaves > 0u ? atomicAdd(status.elements[0].leaves, group_leaves) : 0u;
        first_block = group_blocks > 0u ? atomicAdd(status.elements[0].wanted, group_blocks) : 0u;
        if (group_outside > 0u) atomicAdd(status.elements[0].outside, group_outside);
    }
    barrier();
    if (!is_new) return;
    leaf_list.points[first_leaf + leaf] = point;
    count_groups(0u, first_leaf + leaf);
    for (uint i = 0u; i < wanted; ++i) {
        uint number = first_block + block + i;
        uint slot = slot_of(key, point, kDepth - 1u - i);
        uint own = taken_block(number);
        if (slot == kNoSlot) continue;
        parent_blocks.numbers[slot] = own;
        if (own == kNoBlock) {
            atomicAdd(status.elements[0].no_room, 1u);
            continue;
        }
        made.slots[number] = slot;
        count_groups(1u, number);
        make_block(own, kNoNode);
    }
}

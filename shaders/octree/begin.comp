#version 460
// An update begins: the tree as the update before left it, the keys of all points, and empty tables.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "key.glsl"
#include "pool.glsl"
#include "status.glsl"

uniform Params {
    vec3 center;
    float cells_a_unit;
    uint points;
    uint slots;   // of the table of leaves, and
    uint parents; // of that of nodes that get children
    uint room;    // blocks
    uint reset;
    float max_range; // world units; 0: none
    vec3 eye;
} params;

layout(constant_id = 0) const uint has_count = 0u;
layout(constant_id = 1) const uint has_before = 0u; // else the tree is updated in place
layout(constant_id = 2) const uint kCarves = 0u;
layout(constant_id = 3) const uint has_pose = 0u;

readonly buffer Points { uvec4 values[]; } points; // place, color
readonly buffer Count { uint words[]; } count;
readonly buffer Pose { vec4 columns[]; } pose; // camera to world
readonly buffer Before { uvec4 pairs[]; } before; // two nodes
readonly buffer BeforeBlocks { uint parents[]; } before_blocks;
readonly buffer BeforeFree { uint numbers[]; } before_free;
readonly buffer BeforeFractions { uint words[]; } before_fractions;
readonly buffer OldStatus { TreeStatus elements[]; } old_status;
writeonly buffer Nodes { uvec4 pairs[]; } nodes;
writeonly buffer Blocks { uint parents[]; } blocks;
writeonly buffer Free { uint numbers[]; } free;
writeonly buffer Fractions { uint words[]; } fractions; // of colours
writeonly buffer Status { TreeStatus elements[]; } status;
writeonly buffer Keys { uint words[]; } keys;
writeonly buffer Sums { uvec4 values[]; } sums;
writeonly buffer Leaves { uint slots[]; } leaves;
writeonly buffer Parents { uint slots[]; } parents;
writeonly buffer Pending { uint words[]; } pending;
writeonly buffer Arrived { uint words[]; } arrived;
writeonly buffer Misses { uint words[]; } misses;
writeonly buffer Groups { uvec4 values[]; } groups; // of the leaves, and of the blocks that are new

void begin_pool(uint i, TreeStatus old, bool fresh) {
    uint used = fresh ? 1u : old.blocks;
    if (i < params.room) {
        pending.words[i] = 0u;
        arrived.words[i] = 0u;
    }
    if (i < 4u * params.room && kCarves != 0u) {
        misses.words[2u * i] = 0u;
        misses.words[2u * i + 1u] = 0u;
    }
    if (fresh) {
        if (i < 4u) nodes.pairs[i] = uvec4(0u, kNewValue, 0u, kNewValue);
        if (i == 0u) blocks.parents[0] = kNoNode;
        if (i < 8u) fractions.words[i] = 0u;
        return;
    }
    if (has_before == 0u) return;
    if (i < 4u * used) {
        nodes.pairs[i] = before.pairs[i];
        fractions.words[2u * i] = before_fractions.words[2u * i];
        fractions.words[2u * i + 1u] = before_fractions.words[2u * i + 1u];
    }
    if (i < used) blocks.parents[i] = before_blocks.parents[i];
    if (i < old.free) free.numbers[i] = before_free.numbers[i];
}

// A point beyond the range hits nothing.
bool is_near(vec3 place) {
    vec3 eye = has_pose != 0u ? pose.columns[3].xyz : params.eye;
    return params.max_range == 0.0 || distance(eye, place) <= params.max_range;
}

void begin_point(uint i) {
    uvec2 key = kNoKey;
    if (i < params.points && (has_count == 0u || i < count.words[0])) {
        vec3 place = uintBitsToFloat(points.values[i].xyz);
        vec3 cells = in_cells(place, params.center, params.cells_a_unit);
        if (is_finite(place) && is_inside(cells) && is_near(place))
            key = key_of(cell_of(cells));
    }
    keys.words[kKeyWords * i] = key.x;
    if (kKeyWords == 2u) keys.words[2u * i + 1u] = key.y;
    sums.values[i] = uvec4(0u);
}

void main() {
    uint i = invocation_index();
    TreeStatus old = old_status.elements[0];
    bool fresh = params.reset != 0u || old.blocks == 0u;
    if (i == 0u)
        status.elements[0] = TreeStatus(fresh ? 1u : old.blocks, fresh ? 0u : old.free,
                                        fresh ? kNewValue : old.root, fresh ? 0u : old.frames, 0u,
                                        0u, 0u, 0u, 0u, 0u, 0u, params.room);
    begin_pool(i, old, fresh);
    if (i < params.points) begin_point(i);
    if (i < params.slots) leaves.slots[i] = 0u;
    if (i < params.parents) parents.slots[i] = 0u;
    if (i < 2u) groups.values[i] = uvec4(0u, 1u, 1u, 0u);
}

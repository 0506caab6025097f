#version 460
//! variants METHOD=0,1,2 WRITES=0,1
// Which boxes touch: counted for each body, or written behind each other, by number. Of two bodies that
// move, the one of the lower number has the pair; of one that moves and one that does not, the former.

layout(local_size_x = 128) in;

#define ALL 0
#define GRID 1
#define TREE 2

#include "grid.glsl"
#include "invocation.glsl"
#include "bvh/bvh.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;
layout(constant_id = 0) const uint has_apart = 0u;
readonly buffer Apart { uvec2 values[]; } apart; // pairs that do not touch, sorted
#if METHOD == GRID
readonly buffer Order { uint values[]; } order;
readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer SortedBoxes { vec4 values[]; } sorted_boxes;
#elif METHOD == TREE
readonly buffer Nodes { uvec4 values[]; } nodes;
readonly buffer Leaves { uvec4 values[]; } leaves;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
#endif
#if WRITES
readonly buffer Offsets { uint values[]; } offsets;
buffer Pairs { uvec2 values[]; } pairs;
#else
writeonly buffer Counts { uint values[]; } counts;
#endif

uniform Params {
    uint count;
    uint room;
    uint apart; // pairs
    vec3 origin;
    float per_unit;
    uvec3 cells;
    float cell;
} params;

uint found = 0u;
uint self;
uint first;
vec3 self_low;
vec3 self_high;

// Whether the two bodies are kept apart by hand, as those of a joint.
bool are_apart(uint a, uint b) {
    uvec2 both = uvec2(min(a, b), max(a, b));
    uint low = 0u;
    uint high = params.apart;
    while (low < high) {
        uint middle = (low + high) / 2u;
        uvec2 other = apart.values[middle];
        if (all(equal(other, both))) return true;
        if (other.x < both.x || (other.x == both.x && other.y < both.y)) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return false;
}

#if WRITES
void put(uint other) {
    // Sorted in while it is written: rows are short.
    uint at = first + found;
    if (at < params.room) {
        while (at > first && pairs.values[at - 1u].y > other) {
            pairs.values[at] = pairs.values[at - 1u];
            --at;
        }
        pairs.values[at] = uvec2(self, other);
    }
}
#endif

void try_box(uint other, vec3 low, vec4 high) {
    uint flags = floatBitsToUint(high.w);
    bool owned = (flags & 1u) == 0u || self < other;
    if (other == self || !owned || (flags & 2u) == 0u) return;
    if (any(greaterThan(low, self_high)) || any(greaterThan(self_low, high.xyz))) return;
    if (has_apart != 0u && are_apart(self, other)) return;
#if WRITES
    put(other);
#endif
    ++found;
}

#if METHOD == GRID
void try_range(uvec2 range) {
    for (uint k = range.x; k < range.y; ++k)
        try_box(order.values[k], sorted_boxes.values[2u * k].xyz, sorted_boxes.values[2u * k + 1u]);
}
#endif

void find() {
#if METHOD == ALL
    for (uint other = 0u; other < params.count; ++other)
        try_box(other, boxes.values[2u * other].xyz, boxes.values[2u * other + 1u]);
#elif METHOD == GRID
    // The middles of boxes no larger than a cell are within half a cell.
    float half_cell = 0.5 * params.cell;
    uvec3 low = cell_of(self_low - half_cell, params.origin, params.per_unit, params.cells);
    uvec3 high = cell_of(self_high + half_cell, params.origin, params.per_unit, params.cells);
    for (uint y = low.y; y <= high.y; ++y)
        for (uint z = low.z; z <= high.z; ++z)
            for (uint x = low.x; x <= high.x; ++x)
                try_range(ranges.values[cell_index(uvec3(x, y, z), params.cells)]);
    try_range(ranges.values[params.cells.x * params.cells.y * params.cells.z]);
#else
    uint stack[64];
    uint depth = 0u;
    uint at = bvh_status.elements[0].root;
    while (at != kNoNode) {
        uint next = kNoNode;
        if ((at & kLeafBit) != 0u) {
            uint other = leaves.values[3u * (at & ~kLeafBit)].w;
            try_box(other, boxes.values[2u * other].xyz, boxes.values[2u * other + 1u]);
        } else {
            for (uint side = 0u; side < 2u; ++side) {
                uvec4 low = nodes.values[4u * at + 2u * side];
                vec3 box_low = uintBitsToFloat(low.xyz);
                vec3 box_high = uintBitsToFloat(nodes.values[4u * at + 2u * side + 1u].xyz);
                if (any(greaterThan(box_low, self_high)) || any(greaterThan(self_low, box_high)))
                    continue;
                if (next == kNoNode) {
                    next = low.w;
                } else if (depth < 64u) {
                    stack[depth++] = low.w;
                }
            }
        }
        if (next == kNoNode && depth > 0u) next = stack[--depth];
        at = next;
    }
#endif
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    self = i;
    vec4 high = boxes.values[2u * i + 1u];
    self_low = boxes.values[2u * i].xyz;
    self_high = high.xyz;
    bool looks = (floatBitsToUint(high.w) & 3u) == 3u;
#if WRITES
    first = offsets.values[i];
    // Nothing to write: the row is empty, or there is no room.
    uint end = i + 1u < params.count ? offsets.values[i + 1u] : 0xffffffffu;
    looks = looks && end > first && first < params.room;
#endif
    if (looks) find();
#if !WRITES
    counts.values[i] = found;
#endif
}

// What the kernels of compactions share: finding what a tile keeps, and writing it in order. Each
// subgroup takes a contiguous part of the tile, and reads it in rows of one quad for each
// invocation, so that memory is accessed in order. What a part keeps is gathered in shared memory
// as it is read: subgroups need not know of each other until all has been counted.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "primitives/elements.glsl"
#include "primitives/counts.glsl"
#include "primitives/tile.glsl"
#include "primitives/keep.glsl"

layout(constant_id = 9) const uint emits_indices = 0u;  // in place of the elements
layout(constant_id = 10) const uint keeps_rejected = 0u; // they are written as well

shared uint subgroup_totals[kMaxSubgroups];

// Elements of a subgroup's part of the tile, and which of the tile's is the first of this subgroup's.
uint part_elements() {
    return kItems * gl_SubgroupSize;
}
uint part_first() {
    return gl_SubgroupID * part_elements();
}

struct TileCount {
    uint part;   // of this subgroup's part
    uint before; // of the parts before
    uint total;  // of the tile
};

// Counts what the tile keeps, given what this subgroup's part does. All invocations must call it.
TileCount count_tile(uint part) {
    if (subgroupElect()) subgroup_totals[gl_SubgroupID] = part;
    barrier();
    TileCount kept = TileCount(part, 0u, 0u);
    for (uint i = 0u; i < gl_NumSubgroups; ++i) {
        if (i == gl_SubgroupID) kept.before = kept.total;
        kept.total += subgroup_totals[i];
    }
    return kept;
}

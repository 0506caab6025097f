// The scan of one tile by one group. Each subgroup takes a contiguous part of the tile and reads it
// in rows of one quad for each invocation, so that memory is accessed in order. Include
// primitives/operators.glsl or primitives/compact_body.glsl before.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "tile.glsl"

shared uint subgroup_totals[kMaxSubgroups];

// Where in the tile this invocation's quad number `row` is, counted in quads. The invocations of a
// subgroup are numbered by gl_SubgroupInvocationID alone: how they follow from the local index is
// not laid down.
uint quad_of(uint row) {
    return (gl_SubgroupID * kQuads + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

// What the invocation has of each of its quads (arrays whose size is a constant of the pipeline
// cannot be passed on): combined; and then, by scan_tile, all of the tile before it, combined.
uint row_sums[kQuads];
uint row_before[kQuads];

// Scans `row_sums` over the group, and returns all of the tile combined. All invocations must call
// it.
uint scan_tile() {
    uint carry = identity();
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint exclusive = subgroup_exclusive(row_sums[row]);
        uint row_total = subgroupShuffle(combine(exclusive, row_sums[row]), gl_SubgroupSize - 1u);
        row_before[row] = combine(carry, exclusive);
        carry = combine(carry, row_total);
    }
    if (subgroupElect()) subgroup_totals[gl_SubgroupID] = carry;
    barrier();
    uint before = identity();
    uint total = identity();
    for (uint i = 0u; i < gl_NumSubgroups; ++i) {
        if (i == gl_SubgroupID) before = total;
        total = combine(total, subgroup_totals[i]);
    }
    [[unroll]] for (uint row = 0u; row < kQuads; ++row)
        row_before[row] = combine(before, row_before[row]);
    return total;
}

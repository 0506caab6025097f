// The scan of one tile by one group. Each subgroup takes a contiguous part of the tile and reads it
// in rows of one quad for each invocation, so that memory is accessed in order. Include
// primitives/operators.glsl or primitives/counts.glsl before.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "primitives/tile.glsl"

shared uint subgroup_totals[kMaxSubgroups];

// Where in the tile this invocation's quad number `row` is, counted in quads. The invocations of a
// subgroup are numbered by gl_SubgroupInvocationID alone: how they follow from the local index is
// not laid down.
uint quad_of(uint row) {
    return (gl_SubgroupID * kQuads + row) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

struct TileScan {
    uint before[kQuads]; // all of the tile before each of this invocation's quads
    uint total;          // all of the tile
};

// From the combination of each of this invocation's quads. All invocations must call it.
TileScan scan_tile(uint sums[kQuads]) {
    uint exclusive[kQuads];
    uint carry = identity();
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        exclusive[row] = subgroup_exclusive(sums[row]);
        uint row_total = subgroupShuffle(combine(exclusive[row], sums[row]), gl_SubgroupSize - 1u);
        exclusive[row] = combine(carry, exclusive[row]);
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
    TileScan result;
    [[unroll]] for (uint row = 0u; row < kQuads; ++row)
        result.before[row] = combine(before, exclusive[row]);
    result.total = total;
    return result;
}

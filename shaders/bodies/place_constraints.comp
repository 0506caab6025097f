#version 460
//! variants SCANS=0,1
// Puts each constraint where its cell begins and its rank says: they are then sorted by cell, in any order
// within one. With SCANS, for few cells, each group adds up how many constraints the cells have, and it also
// writes their ranges; the last is that of constraints that move nothing.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "locks.glsl"
#include "sets.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Unsorted { uint values[]; } unsorted; // the cell of a constraint
readonly buffer Ranks { uint values[]; } ranks;
readonly buffer Ends { uvec2 values[]; } ends;
#if SCANS
readonly buffer Counts { uvec4 values[]; } counts; // of four cells each
writeonly buffer Ranges { uvec2 values[]; } ranges;
#else
readonly buffer Starts { uint values[]; } starts; // of a cell
#endif
writeonly buffer Keys { uint values[]; } keys;
writeonly buffer Order { uint values[]; } order;
writeonly buffer PlacedEnds { uvec2 values[]; } placed_ends; // so that nobody looks for them through `order`
writeonly buffer Locks { uint words[]; } locks;

uniform Params {
    uvec3 cells;
    uint sets;
} params;

#if SCANS
const uint kMaxQuads = 4097u; // of 16,384 cells, and of constraints that move nothing

shared uint sums[2u * gl_WorkGroupSize.x];
shared uint quad_starts[kMaxQuads];

// The sum of what the invocations before have.
uint exclusive_scan(uint lane, uint own) {
    uint from = 0u;
    sums[lane] = own;
    for (uint way = 1u; way < gl_WorkGroupSize.x; way *= 2u) {
        barrier();
        uint to = gl_WorkGroupSize.x - from;
        sums[to + lane] = sums[from + lane] + (lane >= way ? sums[from + lane - way] : 0u);
        from = to;
    }
    return sums[from + lane] - own;
}

void add_up(uint quads) {
    uint lane = gl_LocalInvocationID.x;
    for (uint q = lane; q < quads; q += gl_WorkGroupSize.x) {
        uvec4 four = counts.values[q];
        quad_starts[q] = four.x + four.y + four.z + four.w;
    }
    barrier();
    uint share = (quads + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    uint begin = min(lane * share, quads);
    uint end = min(begin + share, quads);
    uint own = 0u;
    for (uint q = begin; q < end; ++q)
        own += quad_starts[q];
    uint at = exclusive_scan(lane, own);
    for (uint q = begin; q < end; ++q) {
        uint here = quad_starts[q];
        quad_starts[q] = at;
        at += here;
    }
    barrier();
}

uvec4 counts_near(uint cell) {
    return counts.values[cell / 4u];
}
uvec2 range_of(uint cell, uvec4 four) {
    uvec3 before = mix(uvec3(0u), four.xyz, greaterThan(uvec3(cell & 3u), uvec3(0u, 1u, 2u)));
    uint start = quad_starts[cell / 4u] + before.x + before.y + before.z;
    return uvec2(start, start + four[cell & 3u]);
}
#else
uvec4 counts_near(uint cell) {
    return uvec4(0u);
}
uvec2 range_of(uint cell, uvec4 four) {
    uint all = params.cells.x * params.cells.y * params.cells.z;
    uint start = starts.values[cell];
    return uvec2(start, cell < all ? starts.values[cell + 1u] : start);
}
#endif

void clear_locks(uint body, uint set) {
    if ((body & kFixed) != 0u) return;
    for (uint word = 0u; word < kLockWords; ++word)
        locks.words[kLockWords * (body * params.sets + set) + word] = empty_lock(word);
}

// What can be read of a constraint before the scan.
struct Constraint {
    uint cell;
    uint rank;
    uvec2 ends;
    uvec4 counts;
};

Constraint constraint_at(uint c) {
    uint cell = unsorted.values[c];
    return Constraint(cell, ranks.values[c], ends.values[c], counts_near(cell));
}

void place(uint c, Constraint own, uint all) {
    uvec2 range = range_of(own.cell, own.counts);
    uint at = range.x + own.rank;
    keys.values[at] = own.cell;
    order.values[at] = c;
    placed_ends.values[at] = own.ends;
    if (own.cell == all || range.y - range.x <= kFewInCell) return;
    uint set = set_of(cell_at(own.cell, params.cells), params.cells);
    clear_locks(own.ends.x, set);
    clear_locks(own.ends.y, set);
}

void main() {
    uint all = params.cells.x * params.cells.y * params.cells.z;
    uint first = invocation_index();
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint count = tally.words[1];
    Constraint own;
    if (first < count) own = constraint_at(first);
#if SCANS
    uvec4 own_counts = counts_near(min(first, all));
    add_up(all / 4u + 1u);
    for (uint cell = first; cell <= all; cell += stride)
        ranges.values[cell] = range_of(cell, cell == first ? own_counts : counts_near(cell));
#endif
    for (uint c = first; c < count; c += stride) {
        if (c != first) own = constraint_at(c);
        place(c, own, all);
    }
}

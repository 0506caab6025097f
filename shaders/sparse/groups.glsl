// How many groups work on the active bricks.
writeonly buffer Groups { uint words[]; } groups;

const uint kLevels = 7u; // kSparseLevels in passes/sparse/store.hpp

// As invocation.glsl numbers groups: rows of the most groups that every device has.
void set_groups(uint at, uint count) {
    const uint kRow = 65535u;
    groups.words[at] = min(count, kRow);
    groups.words[at + 1u] = (count + kRow - 1u) / kRow;
    groups.words[at + 2u] = 1u;
}

// By the first invocations of a group, at least 22. `work_a_brick`: of each level groups of 256 cells,
// then groups by columns, then invocations by columns of wide rows.
void set_all_groups(uint lane, uint bricks, uvec4 work_a_brick[6]) {
    if (lane == 0u) set_groups(0u, bricks);
    if (lane >= 3u * kLevels) return;
    uint work = bricks * work_a_brick[lane / 4u][lane % 4u];
    set_groups(3u * lane + 3u, lane < 2u * kLevels ? work : (work + 63u) / 64u);
}

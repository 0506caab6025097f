// Nodes with so many triangles that several groups share each: parts of a fixed number of leaves.
#ifndef COLLISION_HUGE
#define COLLISION_HUGE

const uint kPartLeaves = 4096u; // as in passes/collision/box_tree.cpp

// What fit_small lists. `parts` has, for each part, the number of its node in `huge`.
struct HugeNode {
    uint node;
    uint first_part;
};
uint parts_of(uint leaves) {
    return (leaves + kPartLeaves - 1u) / kPartLeaves;
}

#endif

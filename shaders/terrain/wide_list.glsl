// The leaves of the step before, in the order of their places. Above: wide_node.glsl, the buffers `keys`
// and `count`.
#ifndef TERRAIN_WIDE_LIST
#define TERRAIN_WIDE_LIST

// The leaf in which a node begins.
uint leaf_of(uvec2 node, uint leaves) {
    uvec2 place = wide_place(node);
    uint low = 0u;
    uint high = leaves;
    while (high - low > 1u) {
        uint middle = (low + high) >> 1u;
        if (wide_less(place, wide_place(keys.nodes[middle]))) high = middle;
        else low = middle;
    }
    return low;
}

#endif

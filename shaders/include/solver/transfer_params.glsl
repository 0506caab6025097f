    // To the next coarser grid. C++: `set_transfer`.
    ivec3 coarse_cells;
    ivec3 factor;      // 2 along axes that are coarsened, else 1
    vec3 low_drop;     // share of a coarse cell's solution that is gone at the axis's lower end
    vec3 high_drop;    // ... and at its upper end
    vec3 side;         // of this grid's cells, in those of the finest
    vec3 last_side;    // of the last one
    vec3 coarse_side;
    vec3 coarse_last;

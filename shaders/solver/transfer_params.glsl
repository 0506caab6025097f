    // To the next coarser grid. C++: `set_transfer`.
    ivec3 coarse_cells;
    ivec3 factor;      // 2 along axes that are coarsened, else 1
    ivec3 fixed_walls; // 1: the axis ends at Dirichlet faces
    vec3 side;         // of this grid's cells, in those of the finest
    vec3 last_side;    // of the last one
    vec3 coarse_side;
    vec3 coarse_last;

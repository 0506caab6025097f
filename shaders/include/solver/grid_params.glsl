    // Of one grid: cells along each axis, and what couples a cell to its neighbours, as quotients of
    // 1 / (side of the cell * distance of the centres). All cells of an axis have one side, but the
    // last, which may be shorter. C++: `set_grid`.
    ivec3 cells;
    ivec3 wraps;       // 1: the axis is periodic
    vec3 low_first;    // to the neighbour below, of cell 0 ...
    vec3 low_inner;    // ... of those between
    vec3 low_last;     // ... and of the last one
    vec3 high_inner;   // to the neighbour above, of those before ...
    vec3 high_before;  // ... the last but one
    vec3 high_last;    // ... and the last one

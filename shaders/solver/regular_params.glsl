    // Of a grid of regular cells: all of one size, and along each axis an even number of them. Of
    // pictures z is the missing axis. C++: `set_regular`.
    ivec3 cells;
    ivec3 wraps;     // 1: the axis is periodic
    vec3 coupling;   // of neighbours along an axis, in units of that along x
    vec3 loss;       // what the diagonal of a cell at a wall has less
    vec3 mirror;     // what the solution beyond a wall is of that inside: 1, or -1 at Dirichlet's
    float diagonal;  // of cells away from walls
    float unit;      // times this: 1 / the coupling along x
    float per_unit;  // the other way round
    float omega;
    uint has_status; // 1: its shift is taken off the right-hand side
    int from_zero;   // 1: the source counts as 0

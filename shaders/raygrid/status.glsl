#ifndef RAYGRID_STATUS
#define RAYGRID_STATUS
// What is known of a grid's triangles: `TriangleGridStatus` of passes/raygrid/grid.hpp.
buffer Status {
    uint degenerate; // triangles that are left out, by kind
    uint not_finite;
    uint bad_index;
    uint outside;    // triangles that reach beyond the grid
    uint entries;    // of all lists together
    uint room;
    uint parts[2];   // that triangles are cut into; 64 bits, the low ones first
} status;
#endif

#ifndef RAYGRID_CAST_STATUS
#define RAYGRID_CAST_STATUS
// What a cast took: `GridCastStatus` of passes/raygrid/cast.hpp.
buffer CastStatus {
    uint links[2]; // 64 bits, the low ones first, like the next
    uint tests[2]; // of rays and triangles, once each
    uint cells;    // with rays, of all rounds together
    uint largest;  // rays in a cell at once, at most
    uint in_rounds; // rays that went into rounds, of all together
    uint walked;   // rays that went on alone behind the last round
    uint gave_up;  // hits that a lock did not let in
} cast_status;
#endif

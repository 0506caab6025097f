// What cells are. C++: `PoissonCell`.
const uint kUnknown = 0u;
const uint kSolid = 1u;
const uint kFixed = 2u;

// For mpi/jacobi, the faces of a cell that something goes through, which are none of solid and fixed
// cells; `side` is 0 below and 1 above.
const uint kSolidCell = 64u;
uint face_bit(int axis, int side) {
    return 1u << (2 * axis + side);
}

// What the kernels of mpi/poisson know of a cell and its neighbours.
#ifndef JACOBI
#define JACOBI

// Where a rank's part lies in the field.
struct PartPlace {
    ivec3 halo;      // texels beside the part
    ivec3 first;     // first cell of the part
    ivec3 cells;     // of the whole field
    ivec3 dirichlet; // 1: the solution is 0 at both ends of the axis
};

bool lies_in_part(PartPlace part, ivec3 texel, ivec3 size) {
    return all(greaterThanEqual(texel, part.halo)) && all(lessThan(texel, size - part.halo));
}

// Whether a neighbour of the cell is in the halo.
bool touches_halo(PartPlace part, ivec3 texel, ivec3 size) {
    ivec3 margin = part.halo + min(part.halo, ivec3(1)); // no halo along z in pictures
    return any(lessThan(texel, margin)) || any(greaterThanEqual(texel, size - margin));
}

// Whether the solution is 0 halfway to the neighbour: then that has the cell's value, negative.
bool mirrors(PartPlace part, ivec3 texel, int axis, int side) {
    int cell = part.first[axis] + texel[axis] - part.halo[axis] + side;
    return part.dirichlet[axis] != 0 && (cell < 0 || cell >= part.cells[axis]);
}

#endif

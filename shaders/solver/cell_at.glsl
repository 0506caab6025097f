// The cell of a number: x fastest. Needs params.cells, how many there are along each axis.
ivec3 cell_at(int index) {
    int rows = index / params.cells.x;
    int slice = rows / params.cells.y;
    return ivec3(index - rows * params.cells.x, rows - slice * params.cells.y, slice);
}

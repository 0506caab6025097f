// The cell of a number, where there are `cells` along each axis: x fastest.
ivec3 cell_at(int index, ivec3 cells) {
    int rows = index / cells.x;
    int slice = rows / cells.y;
    return ivec3(index - rows * cells.x, rows - slice * cells.y, slice);
}

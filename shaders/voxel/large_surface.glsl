// Which triangles are too large for one group, and how they are cut: into runs of rows.

const int kNarrow = 1023;       // voxels that an edge of a triangle spans that is not large
const int kMostRows = 2048;     // rows that such a triangle has
const uint kRowsOfPart = 2048u;

bool is_large(Box whole, ivec3 size) {
    return size.x * size.y > kMostRows ||
           any(greaterThanEqual(whole.high - whole.low, ivec3(kNarrow)));
}

uint parts_of(ivec3 size) {
    return (uint(size.x * size.y) + kRowsOfPart - 1u) / kRowsOfPart;
}

// Of one that is far have to be cut off: pieces, and each has as many parts as the grid.
const uint kPieces = 7u;

uint parts_of_far(uvec3 dims) {
    return kPieces * parts_of(ivec3(dims));
}

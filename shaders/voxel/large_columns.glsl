// Which triangles cover too many columns for one group, and how they are cut: into runs of units,
// each the columns of a word.

const uint kMostUnits = 256u; // of a triangle that is not large
const uint kUnitsOfPart = 256u;

bool is_large(uvec2 units) {
    return units.x * units.y > kMostUnits;
}

uint parts_of(uvec2 units) {
    return (units.x * units.y + kUnitsOfPart - 1u) / kUnitsOfPart;
}

// Of one that has to be cut off: pieces, and each has as many parts as all columns of the grid. What
// is too high or too low is not cut off but made flat, for it covers columns as before: so there are
// three polygons.
const uint kTrianglesOfPolygon = 7u;
const uint kPieces = 3u * kTrianglesOfPolygon;

uint parts_of_grid(uvec3 dims) {
    uvec2 columns = uvec2(to_columns(ivec3(dims)).xy);
    return parts_of(uvec2(columns.y, (columns.x + 31u >> 5u) + 1u));
}

uint parts_of_far(uvec3 dims) {
    return kPieces * parts_of_grid(dims);
}

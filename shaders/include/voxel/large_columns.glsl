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

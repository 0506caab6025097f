// Between -0.5 and 0.5, by the place of a cell.
float field_number(ivec3 cell, ivec3 cells) {
    uvec3 at = uvec3((cell % cells + cells) % cells);
    uint h = at.x * 0x9e3779b9u ^ at.y * 0x85ebca6bu ^ at.z * 0xc2b2ae35u;
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    return float(h >> 8) / 16777216.0 - 0.5;
}

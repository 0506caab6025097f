#version 460
// Lays the pictures of a volume's parts over each other, from front to back: some rows of them, whose
// pixels have colours times opacity.
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint has_others = 0u;

#include "invocation.glsl"

uniform Params {
    ivec3 cells; // of the volume
    ivec3 grid;  // of ranks
    uint rank;   // whose picture `own` is
    uint pixels; // of the rows
    vec4 background;
} params;

readonly buffer Eye { vec4 values[]; } eye; // a place in texels; w 1: the direction of all rays
readonly buffer Own { vec4 values[]; } own;
readonly buffer Others { vec4 values[]; } others; // in the order of the ranks
writeonly buffer Result { vec4 values[]; } result;

// The first cell of part `i` of `parts` along an axis: the larger ones come first.
int first_of(int cells, int parts, int i) {
    return i * (cells / parts) + min(i, cells % parts);
}

// The part along an axis with the camera, or the one that parallel rays meet first.
int nearest_part(vec4 from, int axis) {
    int last = params.grid[axis] - 1;
    if (from.w != 0.0) return from[axis] < 0.0 ? last : 0;
    int part = 0;
    while (part < last && from[axis] >= float(first_of(params.cells[axis], last + 1, part + 1)))
        ++part;
    return part;
}

// Number `i` of the parts along an axis: the nearest, those below it from there on, those above it.
int part_in_order(int nearest, int i) {
    return i <= nearest ? nearest - i : i;
}

vec4 pixel_of(uint rank, uint index) {
    if (has_others == 0u || rank == params.rank) return own.values[index];
    return others.values[(rank < params.rank ? rank : rank - 1u) * params.pixels + index];
}

void main() {
    uint index = invocation_index();
    if (index >= params.pixels) return;
    vec4 from = eye.values[0];
    ivec3 nearest = ivec3(nearest_part(from, 0), nearest_part(from, 1), nearest_part(from, 2));
    vec4 seen = vec4(0.0);
    for (int z = 0; z < params.grid.z; ++z)
        for (int y = 0; y < params.grid.y; ++y)
            for (int x = 0; x < params.grid.x; ++x) {
                int row = part_in_order(nearest.z, z) * params.grid.y + part_in_order(nearest.y, y);
                int rank = row * params.grid.x + part_in_order(nearest.x, x);
                seen += (1.0 - seen.a) * pixel_of(uint(rank), index);
            }
    result.values[index] = seen + (1.0 - seen.a) * params.background;
}

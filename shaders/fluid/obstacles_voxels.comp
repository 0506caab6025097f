#version 460
// Adds voxels to a mask of solid cells.

layout(local_size_x = 64) in;

uniform Params {
    ivec3 dims;
    ivec3 voxel_dims;
    ivec3 offset; // of the voxels, cells
} params;

readonly buffer Voxels { uint values[]; } voxels;
readonly buffer Shapes { uint values[]; } shapes;
writeonly buffer Words { uint values[]; } words;

#include "obstacle_words.glsl"
#include "voxel/grid.glsl"

void main() {
    ivec3 cell = first_cell(params.dims);
    if (cell.z >= params.dims.z) return;
    uint bits = shapes.values[word_of(cell, params.dims)];
    int cells = min(params.dims.x - cell.x, 32);
    uvec3 dims = uvec3(params.voxel_dims);
    for (int i = 0; i < cells; ++i) {
        ivec3 voxel = cell + ivec3(i, 0, 0) - params.offset;
        if (any(lessThan(voxel, ivec3(0))) || any(greaterThanEqual(voxel, params.voxel_dims)))
            continue;
        uint word = voxels.values[row_of(dims, uint(voxel.x), uint(voxel.y)) + uint(voxel.z >> 5)];
        bits |= (word >> uint(voxel.z & 31) & 1u) << uint(i);
    }
    words.values[word_of(cell, params.dims)] = bits;
}

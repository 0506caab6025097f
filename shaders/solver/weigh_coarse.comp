#version 460
// What couples the cells of the next coarser grid: the sums over the faces between unknown cells,
// less for the greater distance. Here quotients have the cells' volumes in them, so that the
// operator stays symmetric.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "solver/transfer_params.glsl"
} params;

readonly buffer Weights { vec4 values[]; } weights;
writeonly buffer Result { vec4 values[]; } result;

#include "solver/grid.glsl"
#include "invocation.glsl"

void main() {
    int index = int(invocation_index());
    if (index >= params.coarse_cells.x * params.coarse_cells.y * params.coarse_cells.z) return;
    ivec3 parent = cell_at(index, params.coarse_cells);
    ivec3 first = parent * params.factor;
    ivec3 end = min(first + params.factor, params.cells);
    vec3 nearer = 1.0 / vec3(params.factor); // the centres are that much farther apart
    vec3 faces = vec3(0.0);
    float ties = 0.0;
    bool unknown = false;
    for (int z = first.z; z < end.z; ++z)
        for (int y = first.y; y < end.y; ++y)
            for (int x = first.x; x < end.x; ++x) {
                ivec3 cell = ivec3(x, y, z);
                vec4 own = weights.values[index_of(cell)];
                bool own_unknown = own.w >= 0.0;
                unknown = unknown || own_unknown;
                if (own_unknown) ties += own.w * min(nearer.x, min(nearer.y, nearer.z));
                for (int axis = 0; axis < 3; ++axis) {
                    ivec3 below = cell;
                    below[axis] -= 1;
                    below = wrapped(below);
                    ivec3 above = cell;
                    above[axis] += 1;
                    above = wrapped(above);
                    if (is_inside(below) && own[axis] > 0.0) {
                        bool other = weights.values[index_of(below)].w >= 0.0;
                        if (own_unknown && other) {
                            if (cell[axis] == first[axis]) faces[axis] += own[axis] * nearer[axis];
                        } else if (own_unknown) {
                            ties += own[axis] * nearer[axis]; // to a fixed cell
                        }
                    }
                    if (is_inside(above) && own_unknown) {
                        vec4 next = weights.values[index_of(above)];
                        if (next.w < 0.0) ties += next[axis] * nearer[axis];
                    }
                }
            }
    result.values[index] = vec4(faces, unknown ? ties : -1.0);
}

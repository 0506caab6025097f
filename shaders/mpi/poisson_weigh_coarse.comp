#version 460
// What couples the cells of a rank's part of the next coarser grid: as solver/weigh_coarse has it.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
#include "solver/transfer_params.glsl"
    ivec3 coarse_size; // of the array of the coarse part
    ivec3 coarse_halo;
    ivec3 coarse_first;
    int swaps;         // 1: the result's second axis is along z, as pictures of solver/poisson have it
} params;

readonly buffer CellWeights { vec4 values[]; } weights;
writeonly buffer Result { vec4 values[]; } result;

#include "part.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.coarse_halo)) ||
        any(greaterThanEqual(place, params.coarse_size - params.coarse_halo)))
        return;
    ivec3 first = (params.coarse_first + place - params.coarse_halo) * params.factor;
    ivec3 end = min(first + params.factor, params.cells);
    vec3 nearer = 1.0 / vec3(params.factor); // the centres are that much farther apart
    vec3 faces = vec3(0.0);
    float ties = 0.0;
    bool unknown = false;
    for (int z = first.z; z < end.z; ++z)
        for (int y = first.y; y < end.y; ++y)
            for (int x = first.x; x < end.x; ++x) {
                ivec3 cell = ivec3(x, y, z);
                int index = index_at(cell - params.first + params.halo);
                Neighbours n = neighbours_of(index, cell);
                vec4 own = weights.values[index];
                bool own_unknown = own.w >= 0.0;
                unknown = unknown || own_unknown;
                if (own_unknown) ties += own.w * min(nearer.x, min(nearer.y, nearer.z));
                for (int axis = 0; axis < 3; ++axis) {
                    if (n.has_below[axis] && own[axis] > 0.0) {
                        bool other = weights.values[n.below[axis]].w >= 0.0;
                        if (own_unknown && other) {
                            if (cell[axis] == first[axis]) faces[axis] += own[axis] * nearer[axis];
                        } else if (own_unknown) {
                            ties += own[axis] * nearer[axis]; // to a fixed cell
                        }
                    }
                    if (n.has_above[axis] && own_unknown) {
                        vec4 next = weights.values[n.above[axis]];
                        if (next.w < 0.0) ties += next[axis] * nearer[axis];
                    }
                }
            }
    if (params.swaps != 0) faces = faces.xzy;
    result.values[place.x + params.coarse_size.x * (place.y + params.coarse_size.y * place.z)] =
        vec4(faces, unknown ? ties : -1.0);
}

#version 460
// The coarsest grid, solved in the shared memory of one group by the eigenvectors of each axis: what
// is left of the right-hand side is carried over to them, divided by the eigenvalues, and back.
layout(local_size_x = 256) in;

const int kMaxSide = 16;
const int kMaxCells = 1024;
const int kMaxModes = 3 * kMaxSide * (kMaxSide + 2);

uniform Params {
#include "solver/grid_params.glsl"
    uint has_status;
    uint has_source; // 0: it counts as 0
    // Of each axis: the square roots of the sides, the eigenvalues, and for each cell what it is in
    // the eigenvectors of the matrix that these square roots make symmetric. C++: `PoissonModes`.
    vec4 modes[kMaxModes / 4];
} params;

writeonly buffer Result { float values[]; } result;

#include "solver/grid.glsl"
#include "rhs.glsl"
#include "stencil.glsl"

shared float modes[kMaxModes];
shared float fields[2 * kMaxCells];

// Where an axis begins in `modes`, and the last one ends.
int modes_of(int axis) {
    ivec3 sizes = params.cells * (params.cells + 2);
    return (axis > 0 ? sizes.x : 0) + (axis > 1 ? sizes.y : 0) + (axis > 2 ? sizes.z : 0);
}

float scale_of(ivec3 cell) {
    return modes[cell.x] * modes[modes_of(1) + cell.y] * modes[modes_of(2) + cell.z];
}

float eigenvalue(ivec3 mode) {
    ivec3 at = ivec3(modes_of(0), modes_of(1), modes_of(2)) + params.cells + mode;
    return modes[at.x] + modes[at.y] + modes[at.z];
}

void main() {
    int lane = int(gl_LocalInvocationIndex);
    int count = cell_count();
    for (int i = lane; 4 * i < modes_of(3); i += int(gl_WorkGroupSize.x)) {
        vec4 four = params.modes[i];
        modes[4 * i] = four.x;
        modes[4 * i + 1] = four.y;
        modes[4 * i + 2] = four.z;
        modes[4 * i + 3] = four.w;
    }
    barrier();
    float shift = rhs_shift(params.has_status);
    for (int i = lane; i < count; i += int(gl_WorkGroupSize.x)) {
        ivec3 cell = cell_at(i, params.cells);
        float left = rhs.values[i] - shift;
        if (params.has_source != 0u) {
            Stencil s = stencil_at(cell);
            left -= s.diagonal * source.values[i] - neighbours_at(cell, s);
        }
        fields[i] = left * scale_of(cell);
    }
    barrier();
    ivec3 strides = ivec3(1, params.cells.x, params.cells.x * params.cells.y);
    int from = 0;
    for (int turn = 0; turn < 6; ++turn) { // to the eigenvectors of x, y and z; and back
        int axis = turn % 3;
        int cells = params.cells[axis];
        if (cells == 1 && turn != 2) continue;
        int stride = strides[axis];
        int matrix = modes_of(axis) + 2 * cells;
        int by_place = turn < 3 ? 1 : cells;
        int by_step = turn < 3 ? cells : 1;
        int to = kMaxCells - from;
        for (int i = lane; i < count; i += int(gl_WorkGroupSize.x)) {
            ivec3 cell = cell_at(i, params.cells);
            int place = cell[axis];
            int begin = from + i - place * stride;
            int column = matrix + place * by_place;
            float sum = 0.0;
            for (int k = 0; k < cells; ++k)
                sum += modes[column + k * by_step] * fields[begin + k * stride];
            if (turn == 2) { // the mean's eigenvalue may be 0: nothing fixes it
                float value = eigenvalue(cell);
                sum = value > 0.0 ? sum / value : 0.0;
            }
            fields[to + i] = sum;
        }
        from = to;
        barrier();
    }
    for (int i = lane; i < count; i += int(gl_WorkGroupSize.x)) {
        float start = params.has_source == 0u ? 0.0 : source.values[i];
        result.values[i] = start + fields[from + i] / scale_of(cell_at(i, params.cells));
    }
}

#version 460
// The coarsest grid of a box with solid and fixed cells, in the shared memory of one group: sweeps,
// the second half of them in reverse, so that the operator is symmetric.
layout(local_size_x = 256) in;

const int kMaxCells = 1024;

uniform Params {
#include "solver/grid_params.glsl"
    int sweeps;
    int colors; // phases of a sweep, see phase_of
    float omega;
} params;

readonly buffer Rhs { float values[]; } rhs;
readonly buffer Weights { vec4 values[]; } weights;
writeonly buffer Result { float values[]; } result;

#include "solver/grid.glsl"

shared float shared_u[kMaxCells];
shared float shared_f[kMaxCells];
shared vec4 shared_w[kMaxCells];

// As in coarse.comp.
int phase_of(ivec3 cell) {
    ivec3 odd_end = params.wraps * (params.cells & 1) * ivec3(equal(cell, params.cells - 1));
    return color_of(cell) + 2 * (odd_end.x + odd_end.y + odd_end.z);
}

float relaxed(int i, ivec3 cell) {
    vec4 low = shared_w[i];
    if (low.w < 0.0) return 0.0;
    float diagonal = low.w;
    float around = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 below = cell;
        below[axis] -= 1;
        below = wrapped(below);
        ivec3 above = cell;
        above[axis] += 1;
        above = wrapped(above);
        if (is_inside(below)) {
            diagonal += low[axis];
            around += low[axis] * shared_u[index_of(below)];
        }
        if (is_inside(above)) {
            float high = shared_w[index_of(above)][axis];
            diagonal += high;
            around += high * shared_u[index_of(above)];
        }
    }
    float own = shared_u[i];
    return diagonal > 0.0 ? own + params.omega * ((shared_f[i] + around) / diagonal - own) : 0.0;
}

void main() {
    int count = cell_count();
    for (int i = int(gl_LocalInvocationIndex); i < count; i += int(gl_WorkGroupSize.x)) {
        shared_f[i] = rhs.values[i];
        shared_u[i] = 0.0;
        shared_w[i] = weights.values[i];
    }
    barrier();
    int phases = params.sweeps * params.colors;
    for (int step_ = 0; step_ < phases; ++step_) {
        int phase = step_ % params.colors;
        if (2 * step_ >= phases) phase = params.colors - 1 - phase;
        for (int i = int(gl_LocalInvocationIndex); i < count; i += int(gl_WorkGroupSize.x)) {
            ivec3 cell = cell_at(i, params.cells);
            if (phase_of(cell) == phase) shared_u[i] = relaxed(i, cell);
        }
        barrier();
    }
    for (int i = int(gl_LocalInvocationIndex); i < count; i += int(gl_WorkGroupSize.x))
        result.values[i] = shared_u[i];
}

#version 460
// The coarsest grid as the chapter solves it, by many sweeps; in the shared memory of one group.
layout(local_size_x = 256) in;

const int kMaxCells = 512;

uniform Params {
#include "solver/grid_params.glsl"
    float omega;
    uint has_status;
    uint has_source; // 0: it counts as 0
    int sweeps;
} params;

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

#include "solver/grid.glsl"
#include "rhs.glsl"
#include "printed_stencil.glsl"

shared float u[kMaxCells];

void main() {
    int count = cell_count();
    int lane = int(gl_LocalInvocationIndex);
    for (int i = lane; i < count; i += int(gl_WorkGroupSize.x))
        u[i] = params.has_source == 0u ? 0.0 : source.values[i];
    barrier();
    float shift = rhs_shift(params.has_status);
    for (int turn = 0; turn < 2 * params.sweeps; ++turn) {
        for (int i = lane; i < count; i += int(gl_WorkGroupSize.x)) {
            ivec3 cell = cell_at(i, params.cells);
            if (color_of(cell) != (turn & 1)) continue;
            PrintedStencil s = printed_stencil(cell);
            if (s.full == 0.0) continue;
            float around = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                if (s.low[axis] != 0.0) around += s.low[axis] * u[i - s.stride[axis]];
                if (s.high[axis] != 0.0) around += s.high[axis] * u[i + s.stride[axis]];
            }
            float left = rhs.values[i] - shift + around - s.diagonal * u[i];
            u[i] += params.omega * left / s.full;
        }
        barrier();
    }
    for (int i = lane; i < count; i += int(gl_WorkGroupSize.x))
        result.values[i] = u[i];
}

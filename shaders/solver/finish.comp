#version 460
// Takes off the solution's mean where nothing fixes it. Of bad input the solution is 0.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    uint has_cells;
} params;

readonly buffer Cells { uint kinds[]; } cells;
buffer Solution { vec4 quads[]; } solution;

#include "solver/finished.glsl"

void main() {
    bool bad = is_bad();
    float mean = mean_to_take_off();
    if (!bad && mean == 0.0) return;
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    for (int q = int(gl_GlobalInvocationID.x); 4 * q < params.count; q += stride) {
        vec4 values = bad ? vec4(0.0) : solution.quads[q] - mean;
        if (!bad && params.has_cells != 0u)
            for (int k = 0; k < 4; ++k)
                if (4 * q + k < params.count && cells.kinds[4 * q + k] != 0u)
                    values[k] = solution.quads[q][k];
        solution.quads[q] = values;
    }
}

#version 460
// Takes off the solution's mean where nothing fixes it. Of bad input the solution is 0.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    int with_cells;
} params;

readonly buffer Cells { uint kinds[]; } cells;
readonly buffer Status { uint words[]; } status;
buffer Solution { vec4 quads[]; } solution;

#include "status.glsl"
#include "finished.glsl"

void main() {
    bool bad = is_bad();
    if (!bad && status.words[kSingular] == 0u) return;
    float mean = mean_to_take_off();
    int stride = int(gl_NumWorkGroups.x) * 256;
    for (int q = int(gl_GlobalInvocationID.x); 4 * q < params.count; q += stride) {
        vec4 values = bad ? vec4(0.0) : solution.quads[q] - mean;
        if (!bad && params.with_cells != 0)
            for (int k = 0; k < 4; ++k)
                if (4 * q + k < params.count && cells.kinds[4 * q + k] != 0u)
                    values[k] = solution.quads[q][k];
        solution.quads[q] = values;
    }
}

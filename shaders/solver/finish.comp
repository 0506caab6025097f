#version 460
// Takes off the solution's mean where nothing fixes it. Of bad input the solution is 0.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    int parts;
    int with_cells;
} params;

readonly buffer Parts { vec4 values[]; } parts;
readonly buffer Cells { uint kinds[]; } cells;
readonly buffer Status { uint words[]; } status;
buffer Solution { float values[]; } solution;

#include "solver/group_sum.glsl"
#include "solver/status.glsl"

void main() {
    bool bad = status.words[kStatus] == kBadInput;
    if (!bad && status.words[kSingular] == 0u) return;
    float sum = 0.0;
    for (int i = int(gl_LocalInvocationIndex); i < params.parts; i += 256)
        sum += parts.values[i].x;
    float mean = group_sum(vec4(sum, 0.0, 0.0, 0.0)).x / max(float(status.words[kUnknownCells]), 1.0);
    int stride = int(gl_NumWorkGroups.x) * 256;
    for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride) {
        bool off = params.with_cells != 0 && cells.kinds[i] != 0u;
        if (bad)
            solution.values[i] = 0.0;
        else if (!off)
            solution.values[i] -= mean;
    }
}

#version 460
// Sums of the solution over the unknown cells, a part of them for each group, where its mean is to
// be taken off.
layout(local_size_x = 256) in;

uniform Params { int count; } params;

readonly buffer Source { float values[]; } source;
readonly buffer Status { uint words[]; } status;
writeonly buffer Parts { vec4 values[]; } parts;

#include "solver/group_sum.glsl"
#include "solver/status.glsl"

void main() {
    int stride = int(gl_NumWorkGroups.x) * 256;
    float sum = 0.0;
    if (status.words[kSingular] != 0u)
        for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride)
            sum += source.values[i]; // it is 0 in solid cells
    vec4 all = group_sum(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) parts.values[gl_WorkGroupID.x] = all;
}

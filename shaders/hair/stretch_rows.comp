#version 460
// Adds the errors of all groups up, below those of the executions before.

layout(local_size_x = 64) in;

readonly buffer Partial { vec4 values[]; } partial;
readonly buffer Before { float values[]; } before; // rows of two numbers a hair
writeonly buffer Rows { float values[]; } rows;

uniform Params {
    uint hairs;
    uint groups; // of each hair
    uint rows;
} params;

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint columns = 2u * params.hairs;
    uint kept = columns * (params.rows - 1u);
    for (uint i = lane; i < kept; i += 64u) rows.values[i] = before.values[i + columns];
    for (uint hair = lane; hair < params.hairs; hair += 64u) {
        float most = 0.0;
        float sum = 0.0;
        float edges = 0.0;
        for (uint i = 0u; i < params.groups; ++i) {
            vec4 one = partial.values[hair * params.groups + i];
            most = max(most, one.x);
            sum += one.y;
            edges += one.z;
        }
        rows.values[kept + 2u * hair] = most;
        rows.values[kept + 2u * hair + 1u] = edges > 0.0 ? sum / edges : 0.0;
    }
}

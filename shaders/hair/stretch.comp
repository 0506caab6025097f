#version 460
// How much longer or shorter edges are than at rest: the greatest error and the sum, of each group.

layout(local_size_x = 256) in;

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Partial { vec4 values[]; } partial; // greatest, sum, edges

uniform Params {
    uint count; // vertices of all strands
    uint vertices;
    uint place; // of this hair's groups
} params;

shared vec3 sums[256];

void main() {
    uint lane = gl_LocalInvocationIndex;
    vec3 sum = vec3(0.0);
    for (uint at = gl_GlobalInvocationID.x; at < params.count; at += gl_NumWorkGroups.x * 256u) {
        uint vertex = at % params.vertices;
        float rest_here = rest.values[at].w;
        if (vertex == 0u || vertex + 1u == params.vertices || !(rest_here > 0.0)) continue;
        float now = distance(positions.values[at].xyz, positions.values[at + 1u].xyz);
        float error = abs(now / rest_here - 1.0);
        sum = vec3(max(sum.x, error), sum.y + error, sum.z + 1.0);
    }
    sums[lane] = sum;
    for (uint apart = 128u; apart > 0u; apart /= 2u) {
        barrier();
        if (lane < apart) {
            vec3 other = sums[lane + apart];
            sums[lane] = vec3(max(sums[lane].x, other.x), sums[lane].yz + other.yz);
        }
    }
    if (lane == 0u) partial.values[params.place + gl_WorkGroupID.x] = vec4(sums[0], 0.0);
}

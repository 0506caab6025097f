#version 460
// What there is to say about a hierarchy, in one block: `BvhStatistics` of passes/bvh/statistics.hpp.

layout(local_size_x = 1) in;

uniform Params {
    uint slots; // for nodes
} params;

#include "bvh/bvh.glsl"

readonly buffer Cost { float values[]; } cost; // of all nodes
readonly buffer Tally { uint words[]; } tally;
readonly buffer BvhStatus { uint words[]; } bvh_status;
writeonly buffer Result { uint words[]; } result;

void main() {
    float triangles = float(bvh_status.words[kStatusLeaves]);
    result.words[0] = floatBitsToUint(cost.values[0]);
    result.words[1] = bvh_status.words[kStatusLeaves];
    result.words[2] = tally.words[0];
    result.words[3] = tally.words[1];
    result.words[4] = tally.words[2];
    result.words[5] = tally.words[3];
    result.words[6] = floatBitsToUint(triangles / max(float(tally.words[1]), 1.0));
    result.words[7] =
        floatBitsToUint(float(tally.words[0] + tally.words[1]) / float(max(params.slots, 1u)));
}

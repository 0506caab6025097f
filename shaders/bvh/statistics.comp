#version 460
// What there is to say about a hierarchy, in one block: `BvhStatistics` of passes/bvh/statistics.hpp.

layout(local_size_x = 1) in;

uniform Params {
    uint slots; // for nodes
} params;

#include "bvh/bvh.glsl"

readonly buffer Cost { float values[]; } cost; // of all nodes
readonly buffer Tally {
    uint nodes;
    uint leaves;
    uint largest_leaf; // triangles
    uint levels;
} tally;
readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
writeonly buffer Result {
    float cost;
    uint triangles;
    uint nodes;
    uint leaves;
    uint largest_leaf;
    uint levels;
    float mean_leaf;
    float occupied;
} result;

void main() {
    result.cost = cost.values[0];
    result.triangles = bvh_status.elements[0].leaves;
    result.nodes = tally.nodes;
    result.leaves = tally.leaves;
    result.largest_leaf = tally.largest_leaf;
    result.levels = tally.levels;
    result.mean_leaf = float(bvh_status.elements[0].leaves) / max(float(tally.leaves), 1.0);
    result.occupied = float(tally.nodes + tally.leaves) / float(max(params.slots, 1u));
}

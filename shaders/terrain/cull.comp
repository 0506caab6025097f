#version 460
// Keeps the leaves of a tree that the view may show, with how coarse their neighbours are.
//! variants KEY_WORDS=1,2

const uint kInvocations = 64u;
layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "tree.glsl"
#include "scan.glsl"

readonly buffer Before { TreeKey values[]; } before;
readonly buffer BeforeEdges { uint values[]; } before_edges;
readonly buffer BeforeStatus { uint count; } before_status;
writeonly buffer Keys { TreeKey values[]; } keys;
writeonly buffer Edges { uint values[]; } edges;
buffer Status { uint count; } status;

shared uint first;

void main() {
    uint i = invocation_index();
    bool shown = i < min(before_status.count, params.capacity);
    if (shown) shown = !is_hidden(node_of(before.values[i]));
    uint own = exclusive_sum(uint(shown));
    if (gl_LocalInvocationIndex == 0u && group_sum > 0u) first = atomicAdd(status.count, group_sum);
    barrier();
    if (!shown) return;
    keys.values[first + own] = before.values[i];
    edges.values[first + own] = before_edges.values[i];
}

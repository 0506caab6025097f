#version 460
// Nobody has arrived at any node. Nodes themselves need no contents: a builder reads of them only
// what it has written. That this kernel may write them tells the graph so.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint count;
} params;

writeonly buffer Arrivals { uint values[]; } arrivals;
writeonly buffer Nodes { uvec4 values[]; } nodes;

void main() {
    uint i = invocation_index();
    if (i < 4u) nodes.values[i] = uvec4(0u); // the first one, where there is none
    if (i < params.count) arrivals.values[i] = 0xffffffffu;
}

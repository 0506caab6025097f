#version 460
// Goes on with the leaves of the execution before, or begins with quarters of squares.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "bisect_params.glsl"

readonly buffer Before { uvec2 nodes[]; } before;
readonly buffer BeforeCount { uint words[2]; } before_count; // leaves, mark
writeonly buffer Keys { uvec2 nodes[]; } keys;
writeonly buffer Count { uint words[2]; } count;

void main() {
    uint i = invocation_index();
    uint quarters = params.faces * 4u;
    bool begins = before_count.words[0] == 0u || before_count.words[1] != params.reset;
    uint leaves = begins ? quarters : before_count.words[0];
    if (i == 0u) {
        count.words[0] = leaves;
        count.words[1] = params.reset;
    }
    if (i >= leaves) return;
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    keys.nodes[i] = begins ? uvec2(quarter_node(i >> 2u, i & 3u, shape), 0u) : before.nodes[i];
}

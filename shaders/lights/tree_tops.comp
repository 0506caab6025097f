#version 460
// A ball about each 32 of the balls about 32 lights.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Nodes { vec4 values[]; } nodes;
writeonly buffer Tops { vec4 values[]; } tops;

uniform Params {
    uint count; // nodes
} params;

#include "tree_ball.glsl"

void main() {
    uint i = invocation_index();
    vec4 about = ball_about_32(i < params.count ? nodes.values[i] : vec4(0.0, 0.0, 0.0, -1.0));
    if (i < params.count && i % 32u == 0u) tops.values[i / 32u] = about;
}

#version 460
// Lights in a new order, and a ball about each 32 that follow one another.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "tree.glsl"

readonly buffer Order { uint values[]; } order;
readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
writeonly buffer SortedSpheres { vec4 values[]; } sorted_spheres;
writeonly buffer SortedShades { LightShade values[]; } sorted_shades;
writeonly buffer Nodes { vec4 values[]; } nodes;

uniform Params {
    uint count;
} params;

#include "tree_ball.glsl"

void main() {
    uint i = invocation_index();
    vec4 ball = vec4(0.0, 0.0, 0.0, -1.0);
    if (i < params.count) {
        uint from = order.values[i];
        vec4 sphere = spheres.values[from];
        LightShade light = shades.values[from];
        sorted_spheres.values[i] = sphere;
        sorted_shades.values[i] = light;
        if (shines(sphere, light)) ball = sphere;
    }
    vec4 about = ball_about_32(ball);
    if (i < params.count && i % 32u == 0u) nodes.values[i / 32u] = about;
}

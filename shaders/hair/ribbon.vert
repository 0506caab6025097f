#version 460
// The two borders of each strand's ribbon, half a pixel beyond what it covers.

#include "ribbon.glsl"
#include "thinned.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Colors { vec4 values[]; } colors;

uniform Params {
    uint vertices;
    mat4 clip_from_world;
    vec2 size;
    float scale;
    float radius;
    float tip;
    float opacity;
    uint capacity;
    uint strands; // all of them
    uint stride;
} params;

layout(location = 0) noperspective out vec3 color;
layout(location = 1) noperspective out vec2 across; // from the middle, and half the width: pixels
layout(location = 2) flat out uint edge;

uint strand; // that is drawn

Seen seen_vertex(uint v) {
    RibbonView view = RibbonView(params.clip_from_world, params.size, params.scale, params.radius, params.tip);
    return seen_at(positions.values[strand * params.vertices + v].xyz,
                   float(v) / float(params.vertices - 1u), view);
}

void main() {
    uint v = uint(gl_VertexIndex) / 2u;
    strand = thinned(uint(gl_InstanceIndex), params.strands, params.stride);
    uint index = strand * params.vertices + v;
    Seen here = seen_vertex(v);
    // What is behind the camera lies where the strand was last before it, and has no area.
    for (uint u = v; u > 0u && !here.good; --u) here = seen_vertex(u - 1u);
    Seen before = seen_vertex(max(v, 1u) - 1u);
    Seen after = seen_vertex(min(v + 1u, params.vertices - 1u));
    vec2 along = (after.good ? after.at : here.at) - (before.good ? before.at : here.at);
    float size = length(along);
    vec2 side = size > 1e-6 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
    float sign_of_side = (gl_VertexIndex & 1) == 0 ? -1.0 : 1.0;
    float reach = here.half_width + 0.5;
    vec2 at = here.at + sign_of_side * reach * side;
    color = colors.values[index].rgb;
    across = vec2(sign_of_side * reach, here.half_width);
    edge = strand * (params.vertices - 1u) + v;
    gl_Position = here.good ? vec4(at / params.size * 2.0 - 1.0, here.depth, 1.0)
                            : vec4(2.0, 2.0, 2.0, 1.0);
}

#version 460
// The squared distance to the middle of the particle; the least is kept by blending.

layout(location = 0) flat in vec2 middle;
layout(location = 0) out vec4 squared;

void main() {
    vec2 way = gl_FragCoord.xy - middle;
    squared = vec4(dot(way, way));
}

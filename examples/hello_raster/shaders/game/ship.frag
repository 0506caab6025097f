#version 460

uniform Params {
    vec3 paint; // encoded for screens
} params;

layout(location = 0) out vec4 color;

void main() { color = vec4(params.paint, 1.0); }

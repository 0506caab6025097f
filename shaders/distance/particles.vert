#version 460
// A square for each site, as far as distances go.

readonly buffer Contour { uint texels[]; } contour; // row by row

uniform Params {
    ivec2 size;
    float radius; // texels
} params;

layout(location = 0) flat out vec2 middle;

void main() {
    uint index = contour.texels[gl_InstanceIndex];
    middle = vec2(index % uint(params.size.x), index / uint(params.size.x)) + 0.5;
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    vec2 place = middle + corner * (params.radius + 0.5);
    gl_Position = vec4(place / vec2(params.size) * 2.0 - 1.0, 0.0, 1.0);
}

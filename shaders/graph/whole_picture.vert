#version 460
// One triangle over the whole picture, for kernels that configs bring as a fragment stage alone.

layout(location = 0) out vec2 place; // (0, 0) at the top left, (1, 1) at the bottom right

void main() {
    place = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}

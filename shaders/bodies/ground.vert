#version 460
// One triangle that covers the picture.

layout(location = 0) out vec2 clip;

void main() {
    clip = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(clip, 0.0, 1.0);
}

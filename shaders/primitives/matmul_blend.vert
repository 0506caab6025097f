#version 460
// One triangle that covers the picture, for each share of the inner dimension.

layout(location = 0) flat out uint share;

void main() {
    share = gl_InstanceIndex;
    gl_Position = vec4(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0, 0.0,
                       1.0);
}

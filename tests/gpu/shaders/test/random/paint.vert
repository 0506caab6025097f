#version 460

// The left half of the picture as two triangles.
void main() {
    const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(0, -1), vec2(-1, 1), //
                                   vec2(-1, 1), vec2(0, -1), vec2(0, 1));
    gl_Position = vec4(corners[gl_VertexIndex], 0.5, 1.0);
}

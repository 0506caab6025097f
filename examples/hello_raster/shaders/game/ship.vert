#version 460

// Two numbers a corner: x to the right, y downwards, from -1 to 1.
readonly buffer Corners { vec2 at[]; } corners;

void main() { gl_Position = vec4(corners.at[gl_VertexIndex], 0.0, 1.0); }

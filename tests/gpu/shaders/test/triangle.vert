#version 460

readonly buffer Positions { vec4 positions[]; } vertices;

void main() { gl_Position = vertices.positions[gl_VertexIndex]; }

#version 460
// Text and shapes.

#include "interface_corner.glsl"

void main() {
    place_corner(uint(gl_VertexIndex));
}

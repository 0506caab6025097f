#version 460
// The picture that is looked at.

#include "interface_corner.glsl"

void main() {
    place_corner(uint(gl_VertexIndex));
}

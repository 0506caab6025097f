#version 460
// Rods are dark.

layout(location = 0) out vec4 result;

void main() {
    result = vec4(0.05, 0.05, 0.06, 1.0);
}

#version 460

readonly buffer Color { vec4 color; } paint;
layout(location = 0) out vec4 color;

void main() { color = paint.color; }

#version 460
// Text and shapes, tinted by the font's coverage.

uniform sampler2D font;

layout(location = 0) in vec2 coordinates;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 result;

void main() {
    result = color * vec4(1.0, 1.0, 1.0, textureLod(font, coordinates, 0.0).r);
}

#version 460
// Draws the cells, each as large as the picture has room for.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

uniform usampler2D cells;

void main() {
    ivec2 size = textureSize(cells, 0);
    uint alive = texelFetch(cells, min(ivec2(place * vec2(size)), size - 1), 0).r;
    color = alive == 1u ? vec4(0.98, 0.85, 0.35, 1.0) : vec4(0.07, 0.09, 0.16, 1.0);
}

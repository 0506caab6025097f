#version 460
// Draws the second substance, each cell as large as the picture has room for.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

uniform sampler2D field; //! doc the whole field

void main() {
    ivec2 size = textureSize(field, 0);
    float amount = texelFetch(field, min(ivec2(place * vec2(size)), size - 1), 0).y;
    vec3 low = vec3(0.05, 0.08, 0.18);
    vec3 middle = vec3(0.13, 0.55, 0.60);
    vec3 high = vec3(0.98, 0.86, 0.45);
    float t = clamp(amount / 0.36, 0.0, 1.0);
    color = vec4(t < 0.5 ? mix(low, middle, 2.0 * t) : mix(middle, high, 2.0 * t - 1.0), 1.0);
}

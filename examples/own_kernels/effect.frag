#version 460
// Waves of color.
layout(location = 0) in vec2 place; // (0, 0) at the top left, (1, 1) at the bottom right
layout(location = 0) out vec4 color;

uniform Params {
    float time;  //! unit seconds
    float waves; //! range 1..40, default 9, doc how many stand side by side
    vec3 tint;   //! range 0..1, default 1
} params;

void main() {
    vec2 p = (place - 0.5) * params.waves;
    float a = sin(p.x + params.time) + sin(p.y - 0.7 * params.time);
    float b = sin(length(p) * 1.5 - 2.0 * params.time) + sin(0.7 * (p.x + p.y));
    vec3 wave = 0.5 + 0.5 * cos(1.4 * (a + b) + vec3(0.0, 2.1, 4.2));
    color = vec4(params.tint * wave, 1.0);
}

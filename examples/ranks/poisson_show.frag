#version 460
// Draws a potential: blue below 0 and red above it, with lines along which it is the same.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

uniform sampler2D potential; //! doc the whole field

uniform Params {
    float step_;  //! range 0.01..1000, default 20, doc between two lines
    float most;   //! range 0.01..10000, default 160, doc where colours end
} params;

void main() {
    ivec2 size = textureSize(potential, 0);
    ivec2 cell = min(ivec2(place * vec2(size)), size - 1);
    ivec2 next = min(cell + 1, size - 1);
    float here = texelFetch(potential, cell, 0).x;
    float right = texelFetch(potential, ivec2(next.x, cell.y), 0).x;
    float above = texelFetch(potential, ivec2(cell.x, next.y), 0).x;
    float t = clamp(here / params.most, -1.0, 1.0);
    vec3 middle = vec3(0.97, 0.96, 0.93);
    vec3 far = t < 0.0 ? vec3(0.10, 0.28, 0.62) : vec3(0.72, 0.12, 0.14);
    vec3 shade = mix(middle, far, sqrt(abs(t)));
    float band = floor(here / params.step_);
    bool line = band != floor(right / params.step_) || band != floor(above / params.step_);
    color = vec4(line ? 0.55 * shade : shade, 1.0);
}

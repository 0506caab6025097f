#version 460
// The picture that is looked at.

#include "picture.glsl"

readonly buffer Frame {
    vec2 window; // pixels
    vec2 range;
    float gain;
    uint channels;
    uint flags;
    uint unused;
} frame;
uniform sampler2D picture;

layout(location = 0) in vec2 coordinates;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 result;

void main() {
    const ivec2 size = textureSize(picture, 0);
    const vec2 place = coordinates * vec2(size);
    const vec2 footprint = fwidth(place);
    // What is smaller on the screen is averaged over a few texels; what is larger shows its texels.
    const ivec2 samples = clamp(ivec2(ceil(footprint - 0.01)), ivec2(1), ivec2(4));
    vec4 sum = vec4(0.0);
    for (int y = 0; y < samples.y; ++y)
        for (int x = 0; x < samples.x; ++x) {
            const vec2 offset = (vec2(x, y) + 0.5) / vec2(samples) - 0.5;
            const ivec2 texel = clamp(ivec2(floor(place + offset * footprint)), ivec2(0), size - 1);
            sum += texelFetch(picture, texel, 0);
        }
    const vec4 mean = sum / float(samples.x * samples.y);
    result = vec4(shown_texel(mean, frame.range, frame.gain, frame.channels, frame.flags), 1.0) *
             color;
}

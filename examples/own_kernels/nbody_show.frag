#version 460
// Bright where there are many bodies.
layout(location = 0) out vec4 color;

uniform usampler2D counts;

void main() {
    float here = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            ivec2 texel = clamp(ivec2(gl_FragCoord.xy) + ivec2(x, y), ivec2(0),
                                textureSize(counts, 0) - 1);
            here += float(texelFetch(counts, texel, 0).r) / float(1 + 3 * (abs(x) + abs(y)));
        }
    color = vec4(1.0 - exp(-here * vec3(0.5, 0.8, 1.4)), 1.0);
}

#version 460
// Draws heights as islands in a sea, lit from the upper left.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

uniform sampler2D height; //! doc the whole field

uniform Params {
    float sea; //! range -4..4, default 0.4, doc height of the sea
} params;

float height_at(ivec2 cell) {
    ivec2 size = textureSize(height, 0);
    return texelFetch(height, (cell + size) % size, 0).x; // the field is periodic
}

vec3 color_of(float above) {
    if (above < 0.0) return mix(vec3(0.25, 0.60, 0.70), vec3(0.04, 0.14, 0.32), min(-above, 1.0));
    vec3 green = mix(vec3(0.85, 0.78, 0.55), vec3(0.30, 0.50, 0.22), smoothstep(0.05, 0.3, above));
    vec3 rock = mix(vec3(0.45, 0.38, 0.30), vec3(0.95), smoothstep(1.6, 2.4, above));
    return mix(green, rock, smoothstep(0.8, 1.5, above));
}

void main() {
    ivec2 cell = ivec2(place * vec2(textureSize(height, 0)));
    float above = height_at(cell) - params.sea;
    vec2 slope = vec2(height_at(cell + ivec2(1, 0)) - height_at(cell - ivec2(1, 0)),
                      height_at(cell + ivec2(0, 1)) - height_at(cell - ivec2(0, 1)));
    float light = dot(normalize(vec3(-6.0 * slope, 1.0)), normalize(vec3(-1.0, -1.0, 1.4)));
    vec3 shade = above < 0.0 ? vec3(0.85) : vec3(0.35 + 0.65 * max(light, 0.0));
    color = vec4(color_of(above) * shade, 1.0);
}

#version 460
// Orientations as colours: hue by twice the angle, so that opposite directions have the same one.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 16, local_size_y = 16) in;
#include "symmetric.glsl"

readonly buffer Tensor { float values[]; } tensor;
uniform writeonly image2D result;

uniform Params {
    uint places; // of a component
    float scale; // of the larger eigenvalue, to brightness
    float legend; // radius of the wheel in the corner, texels
} params;

const float kTau = 6.28318530718;

// Hue in turns, red first, over yellow, green, cyan, blue and magenta.
vec3 color_of(float hue, float saturation, float value) {
    vec3 ramp = abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0;
    return value * mix(vec3(1.0), clamp(ramp, 0.0, 1.0), saturation);
}

// Hue of the direction (x, y), or of any other as long along the same line.
float hue_of(vec2 direction) {
    vec2 twice = vec2(direction.x * direction.x - direction.y * direction.y,
                      2.0 * direction.x * direction.y);
    return twice == vec2(0.0) ? 0.0 : fract(atan(twice.y, twice.x) / kTau + 1.0);
}

// Of orientations without a preferred one, white.
vec3 color_at(uint place) {
    mat4 a = mat4(0.0);
    a[0][0] = tensor.values[place];
    a[0][1] = tensor.values[params.places + place];
    a[1][0] = a[0][1];
    a[1][1] = tensor.values[2u * params.places + place];
    vec4 eigenvalues;
    mat4 vectors;
    eigen(a, 2, eigenvalues, vectors);
    float value = clamp(params.scale * eigenvalues[0], 0.0, 1.0);
    float ratio = eigenvalues[0] > 0.0 ? max(eigenvalues[1], 0.0) / eigenvalues[0] : 1.0;
    return color_of(hue_of(vectors[0].xy), 1.0 - ratio, value);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec3 color = color_at(uint(texel.y * size.x + texel.x));
    // The wheel: at each of its places the colour of the direction that leads there.
    vec2 margin = vec2(1.25 * params.legend);
    vec2 from = vec2(texel) + 0.5 - (vec2(size) - margin);
    float away = length(from);
    float inside = clamp(params.legend + 0.5 - away, 0.0, 1.0);
    if (params.legend > 0.0 && inside > 0.0) {
        vec3 wheel = color_of(hue_of(from), 1.0, clamp(away / params.legend, 0.0, 1.0));
        color = mix(color, wheel, inside);
    }
    imageStore(result, texel, vec4(color, 1.0));
}

#version 460
// Shapes drawn from their distance field, each pixel by an invocation. The field is filtered here, with
// weights as fine as floats: those of samplers have 8 bits, which show at high magnification.

layout(local_size_x = 16, local_size_y = 16) in;

#include "shade.glsl"
#include "shade_params.glsl"

uniform writeonly image2D result;

// Signed distance in texels at a place of the field; beyond its border as on it.
float distance_at(vec2 place) {
    ivec2 last = textureSize(field, 0) - 1;
    vec2 from_middle = clamp(place - 0.5, vec2(0.0), vec2(last));
    ivec2 low = ivec2(from_middle);
    ivec2 high = min(low + 1, last);
    vec2 part = from_middle - vec2(low);
    float upper = mix(texelFetch(field, low, 0).x, texelFetch(field, ivec2(high.x, low.y), 0).x,
                      part.x);
    float lower = mix(texelFetch(field, ivec2(low.x, high.y), 0).x, texelFetch(field, high, 0).x,
                      part.x);
    return (mix(upper, lower, part.y) - params.contour) / params.per_texel;
}

vec2 place_of(vec2 pixel) {
    vec3 p = vec3(pixel, 1.0);
    return vec2(dot(params.to_x, p), dot(params.to_y, p)) / dot(params.to_w, p);
}

// The side of a square as large as a pixel is in the field: the determinant of the derivative of
// `place_of`.
float analytic_width(vec2 place, float w) {
    vec2 along_x = (vec2(params.to_x.x, params.to_y.x) - place * params.to_w.x) / w;
    vec2 along_y = (vec2(params.to_x.y, params.to_y.y) - place * params.to_w.y) / w;
    return sqrt(abs(along_x.x * along_y.y - along_x.y * along_y.x));
}

float width_of_differences(vec2 pixel, float here) {
    float right = distance_at(place_of(pixel + vec2(1.0, 0.0))) - here;
    float down = distance_at(place_of(pixel + vec2(0.0, 1.0))) - here;
    return length(vec2(right, down));
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 below = params.ground;
    if (params.has_background != 0u) below = texelFetch(background, texel, 0);
    vec2 pixel = vec2(texel) + 0.5;
    float w = dot(params.to_w, vec3(pixel, 1.0));
    if (w > 0.0) {
        vec2 place = place_of(pixel);
        float away = distance_at(place);
        float from_shadow = params.mode == kShadow ? distance_at(place - params.offset) : away;
        float width = params.differences != 0u ? width_of_differences(pixel, away)
                                               : analytic_width(place, w);
        Look look = Look(params.mode, params.color, params.effect, params.thickness, params.radius,
                         params.softness, params.period, params.animation);
        below = shade(look, away, from_shadow, width, below);
    }
    imageStore(result, texel, below);
}

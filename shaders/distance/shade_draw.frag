#version 460
// Shapes drawn from their distance field as the chapter draws them: the device's sampler filters, and
// fwidth tells how wide a pixel is.

#include "shade.glsl"
#include "shade_params.glsl"

layout(location = 0) out vec4 color;

float distance_at(vec2 place) {
    float value = textureLod(field, place / vec2(textureSize(field, 0)), 0.0).x;
    return (value - params.contour) / params.per_texel;
}

void main() {
    vec2 pixel = gl_FragCoord.xy;
    vec4 below = params.ground;
    if (params.has_background != 0u) below = texelFetch(background, ivec2(pixel), 0);
    vec3 p = vec3(pixel, 1.0);
    float w = dot(params.to_w, p);
    // No pixel leaves before the derivative: it takes all four of a quad.
    vec2 place = vec2(dot(params.to_x, p), dot(params.to_y, p)) / max(w, 1e-20);
    float away = distance_at(place);
    float width = fwidth(away);
    float from_shadow = distance_at(place - params.offset);
    Look look = Look(params.mode, params.color, params.effect, params.thickness, params.radius,
                     params.softness, params.period, params.animation);
    color = w > 0.0 ? shade(look, away, from_shadow, width, below) : below;
}

// Colours of shapes by their distance field. Source: Rideout, "2D Distance Field Generation with the
// GPU", OpenGL Insights, 2012.

const uint kAlphaTest = 0u; // ShadeMode in passes/distance/shade.hpp
const uint kAntialiased = 1u;
const uint kOutline = 2u;
const uint kGlow = 3u;
const uint kShadow = 4u;
const uint kHue = 5u;

// 1 where `value` is below the edge, 0 above, rising over `width` to either side. Where the field is
// flat the width is 0, and smoothstep is undefined for equal edges.
float covered_below(float edge, float value, float width) {
    float half_ramp = max(width, 1e-6);
    return 1.0 - smoothstep(edge - half_ramp, edge + half_ramp, value);
}

// `top` over `bottom`, both with alpha.
vec4 over(vec4 top, vec4 bottom) {
    float below = bottom.a * (1.0 - top.a);
    float alpha = top.a + below;
    vec3 color = alpha > 0.0 ? (top.rgb * top.a + bottom.rgb * below) / alpha : vec3(0.0);
    return vec4(color, alpha);
}

vec4 faded(vec4 color, float coverage) {
    return vec4(color.rgb, color.a * coverage);
}

// Of full saturation and value; the hue from 0 to 1.
vec3 hue_color(float hue) {
    return clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

// How a shape looks.
struct Look {
    uint mode;
    vec4 color;
    vec4 effect;
    float thickness; // texels, as all lengths
    float radius;
    float softness;
    float period;
    float animation;
};

// A pixel at a signed distance from the contour, and at another one from the shadow's; `width` is that
// of a pixel.
vec4 shade(Look look, float away, float from_shadow, float width, vec4 below) {
    float inside = covered_below(0.0, away, width);
    if (look.mode == kAlphaTest) inside = away < 0.0 ? 1.0 : 0.0;
    if (look.mode == kOutline) {
        float fill = covered_below(-look.thickness, away, width);
        float band = covered_below(look.thickness, away, width);
        return over(faded(mix(look.effect, look.color, fill), band), below);
    }
    if (look.mode == kGlow) {
        float light = 1.0 - smoothstep(0.0, look.radius, away);
        below = over(faded(look.effect, light), below);
    } else if (look.mode == kShadow) {
        float dark = covered_below(0.0, from_shadow, max(look.softness, width));
        below = over(faded(look.effect, dark), below);
    } else if (look.mode == kHue) {
        vec3 band = hue_color(fract(away / look.period + look.animation));
        below = over(vec4(band, look.effect.a), below);
    }
    return over(faded(look.color, inside), below);
}

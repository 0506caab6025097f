#ifndef FLUID_SPARSE_SHADING
#define FLUID_SPARSE_SHADING
// What smoke does to light.
#include "flame.glsl"
#include "sparse_look.glsl"

// Of a piece of smoke: what it sends, and the share of the light behind it that it lets through.
vec4 shaded(SmokeSample found, SmokeLight how, float length_) {
    const float kBack = 0.318;  // 1 / pi: what is evenly scattered goes one way
    const float kShining = 0.1; // of a cell of flame, so that a "glow" of 1 is not too much
    float amount = max(amount_of(found.dye), 0.0);
    float kept = exp(-how.extinction * amount * length_);
    vec3 tint = max(found.dye.rgb, 0.0) / max(amount, 1e-6);
    vec3 scattered = how.albedo * tint * (how.ambient + kBack * found.light * how.light);
    vec3 shining = how.glow * kShining * length_ * flame_color(max(found.dye.a, 0.0));
    return vec4((1.0 - kept) * scattered + shining, kept);
}

// How near the edge of a brick a place on its side is: 1 at the edge, 0 from `width` cells on.
float edge_of(vec3 place, vec3 low, vec3 high, float width) {
    vec3 away = min(abs(place - low), abs(high - place));
    float second = max(min(away.x, away.y), min(max(away.x, away.y), away.z)); // the middle one
    return 1.0 - smoothstep(0.5 * width, width, second);
}

#endif

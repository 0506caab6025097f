// Lights as C++ has them (passes/lights/lights.hpp), and what they send to a point.
#ifndef LIGHTS_LIGHT
#define LIGHTS_LIGHT

struct LightShade {
    vec3 color;      // linear, times candela
    float cos_inner; // inside this cone a spot is at its full strength
    vec3 direction;  // where a spot shines, of length 1
    float cos_outer; // outside it is dark; below -1 there is no cone
};

const float kLeastSquare = 1e-4; // of distances: keeps lights that touch surfaces finite

bool is_finite(vec4 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7f800000u, uvec4(0x7f800000u)));
}

// Lights without a place, a reach or a colour shine nowhere. An infinite range is a range.
bool shines(vec4 sphere, LightShade light) {
    bool placed = is_finite(vec4(sphere.xyz, 0.0));
    bool reaches = sphere.w > 0.0 && (floatBitsToUint(sphere.w) & 0x7fffffffu) <= 0x7f800000u;
    bool shaded = is_finite(vec4(light.color, light.cos_inner)) &&
                  is_finite(vec4(light.direction, light.cos_outer));
    return placed && reaches && shaded;
}

// Share of the intensity that is left at the square of a distance: inverse square, and a window
// that ends at the range with value and slope 0 (Karis, "Real Shading in Unreal Engine 4", 2013).
float falloff(float distance_squared, float range) {
    float q = distance_squared / (range * range);
    float window = clamp(1.0 - q * q, 0.0, 1.0);
    return window * window / max(distance_squared, kLeastSquare);
}

// Of a spot in a direction from it; 1 for a light without a cone.
float cone_share(LightShade light, vec3 from_light) {
    if (light.cos_outer < -1.0) return 1.0;
    float inside = dot(light.direction, from_light) - light.cos_outer;
    float share = clamp(inside / max(light.cos_inner - light.cos_outer, 1e-4), 0.0, 1.0);
    return share * share;
}

#endif

// Colours of levels and of the ground, linear.
#ifndef TERRAIN_PALETTE
#define TERRAIN_PALETTE

// Neighbouring levels differ clearly: their hues are a golden angle apart.
vec3 level_color(uint level) {
    float hue = fract(0.58 + 0.38196601 * float(level));
    vec3 wheel = clamp(abs(fract(hue + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return mix(vec3(0.55), wheel, 0.7) * 0.8;
}

// By height, 0 to 1, and how upright the normal is.
vec3 ground_color(float height, float upright) {
    const vec3 kSand = vec3(0.42, 0.23, 0.11);
    const vec3 kRock = vec3(0.35, 0.13, 0.06);
    const vec3 kGrass = vec3(0.22, 0.22, 0.08);
    // Layers of rock, which are seen in the walls.
    float layer = 0.5 + 0.5 * sin(height * 90.0 + 3.0 * sin(height * 23.0));
    vec3 wall = mix(kRock, kSand, 0.25 + 0.6 * layer);
    vec3 top = mix(kSand, kGrass, smoothstep(0.55, 0.8, height));
    return mix(wall, top, smoothstep(0.8, 0.95, upright));
}

#endif

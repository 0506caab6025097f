// Light on bodies and their floor.
#ifndef BODIES_VIEW
#define BODIES_VIEW

const vec3 kSun = vec3(-0.39, 0.81, 0.44); // towards it, of unit length but for rounding
const vec3 kSunlight = vec3(2.6, 2.45, 2.2);
const vec3 kSky = vec3(0.52, 0.66, 0.88);
const vec3 kFloorColor = vec3(0.42, 0.42, 0.44);

vec3 sky_color(vec3 direction) {
    return mix(vec3(0.78, 0.81, 0.85), kSky * 0.8, clamp(direction.y * 2.0, 0.0, 1.0));
}

// The share of the sun at a place, of nine looks.
float sunlit(sampler2D shadow, mat4 sun, vec3 place, vec3 normal, float texel) {
    vec4 seen = sun * vec4(place + 1.5 * texel * normal, 1.0);
    vec2 at = (seen.xy * 0.5 + 0.5) * vec2(textureSize(shadow, 0));
    float light = 0.0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            ivec2 cell = ivec2(floor(at)) + ivec2(x, y);
            bool inside = all(greaterThanEqual(cell, ivec2(0))) &&
                          all(lessThan(cell, textureSize(shadow, 0)));
            float depth = inside ? texelFetch(shadow, cell, 0).r : 1.0;
            light += seen.z <= depth + 1e-4 || depth >= 1.0 ? 1.0 : 0.0;
        }
    return light / 9.0;
}

vec3 lit(vec3 color, vec3 normal, float sun) {
    float direct = max(dot(normal, kSun), 0.0) * sun;
    vec3 around = mix(kFloorColor * 0.5, kSky, 0.5 + 0.5 * normal.y);
    return color * (kSunlight * direct + around) * 0.5;
}
#endif

#version 460
// The light of a planet's ground, sea and air, and the stars behind. Lengths are radii, from the eye.

layout(local_size_x = 8, local_size_y = 8) in;

#include "hash.glsl"

uniform Params {
    uvec2 size;
    vec4 right; // of the view at distance 1, to the picture's edge
    vec4 up;
    vec4 ahead;
    vec2 ends; // near and far plane, world units
    vec4 sun;  // towards it; light
    vec2 snow;
    float air;
    float haze;
} params;

readonly buffer Words { vec4 values[]; } words; // as in surface.glsl
uniform sampler2D depth;
uniform sampler2D normals;
uniform writeonly image2D color;

const int kSteps = 16;
// Red, green and blue light scattered on the way through all the air above the ground (Rayleigh), and
// by dust.
const vec3 kAirDepth = vec3(0.046, 0.108, 0.265);
const float kDustDepth = 0.02;

// How far a ray from a point stays within a sphere about the planet's middle.
vec2 within_sphere(vec3 from_middle, vec3 ray, float radius) {
    float along = dot(from_middle, ray);
    vec3 beside = from_middle - along * ray;
    float square = radius * radius - dot(beside, beside);
    if (square <= 0.0) return vec2(0.0);
    float half_length = sqrt(square);
    return max(vec2(-along - half_length, -along + half_length), vec2(0.0));
}

// Of air above a point, in the direction of the sun, as a multiple of that straight up; none gets
// through the planet.
float air_mass(float cosine) {
    float degrees_up = asin(clamp(cosine, -1.0, 1.0)) * 57.29578;
    float up = max(degrees_up, -2.0);
    return 1.0 / (max(sin(up * 0.01745329), 0.0) + 0.50572 * pow(up + 6.07995, -1.6364));
}

vec3 sunlight_at(vec3 from_middle) {
    float away = length(from_middle);
    float cosine = dot(from_middle, params.sun.xyz) / away;
    float above = max(away - 1.0, 0.0);
    float density = params.air > 0.0 ? exp(-above / params.air) : 0.0;
    // The horizon lies lower for what is higher.
    float horizon = -sqrt(max(1.0 - 1.0 / (away * away), 0.0));
    float lit = smoothstep(-0.03, 0.02, cosine - horizon);
    vec3 depth_of_air = params.haze * density * (kAirDepth + kDustDepth) * air_mass(cosine);
    return lit * exp(-depth_of_air);
}

vec3 stars(vec3 ray) {
    vec3 place = ray * 180.0;
    vec3 cell = floor(place);
    uvec3 words_of_cell = pcg3d(uvec3(ivec3(cell)));
    vec3 random = unit_interval(words_of_cell);
    if (random.x > 0.05) return vec3(0.0);
    float away = distance(place - cell, vec3(0.5) + 0.3 * (random - 0.5));
    return vec3(1.0, 0.95, 0.9) * exp(-90.0 * away * away) * random.y * 0.8;
}

vec3 ground_at(vec3 normal, float height, vec3 from_middle, vec3 ray) {
    vec3 out_of = normalize(from_middle);
    vec3 sun = params.sun.xyz;
    vec3 light = params.sun.w * sunlight_at(from_middle);
    float day = smoothstep(-0.1, 0.25, dot(out_of, sun));
    vec3 sky = params.sun.w * vec3(0.03, 0.05, 0.1) * day + vec3(0.0015, 0.002, 0.004);
    if (height <= 0.0) {
        vec3 mirrored = reflect(ray, out_of);
        float glint = pow(max(dot(mirrored, sun), 0.0), 90.0);
        float grazing = 0.02 + 0.98 * pow(1.0 - max(dot(-ray, out_of), 0.0), 5.0);
        vec3 water = vec3(0.008, 0.03, 0.06) * (light * max(dot(out_of, sun), 0.0) + sky);
        return water + light * glint * 0.6 + sky * grazing;
    }
    float upright = dot(normal, out_of);
    float polar = smoothstep(0.72, 0.9, abs(out_of.y) + 200.0 * height);
    float high = smoothstep(params.snow.x, params.snow.y, height);
    vec3 own = mix(vec3(0.07, 0.12, 0.04), vec3(0.27, 0.2, 0.12), smoothstep(0.1, 0.7, high));
    own = mix(vec3(0.32, 0.27, 0.16), own, smoothstep(0.0, 0.05 * params.snow.x + 1e-9, height));
    own = mix(vec3(0.13, 0.11, 0.1), own, smoothstep(0.6, 0.85, upright));
    own = mix(own, vec3(0.85), max(high, polar) * smoothstep(0.5, 0.75, upright));
    return own * (light * max(dot(normal, sun), 0.0) + sky);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), params.size))) return;
    vec4 anchor = words.values[0];
    float radius = anchor.w;
    vec3 eye = anchor.xyz * (1.0 + words.values[1].z / radius); // from the middle
    vec2 place = (vec2(at) + 0.5) / vec2(params.size) * 2.0 - 1.0;
    vec3 towards = params.ahead.xyz + place.x * params.right.xyz - place.y * params.up.xyz;
    vec3 ray = normalize(towards);

    float z = texelFetch(depth, at, 0).x;
    bool ground = z < 1.0;
    float far = 1e9;
    vec3 result = stars(ray);
    if (ground) {
        float ahead = params.ends.x * params.ends.y / (params.ends.y - z * (params.ends.y - params.ends.x));
        far = ahead * length(towards) / radius;
        vec4 normal = texelFetch(normals, at, 0);
        result = ground_at(normalize(normal.xyz), normal.w / radius, eye + far * ray, ray);
    } else {
        float disc = smoothstep(0.99996, 0.99998, dot(ray, params.sun.xyz));
        result += params.sun.w * 8.0 * disc;
    }
    vec2 inside = within_sphere(eye, ray, 1.0 + 10.0 * params.air);
    inside.y = min(inside.y, far);
    if (params.air > 0.0 && inside.y > inside.x) {
        float cosine = dot(ray, params.sun.xyz);
        float rayleigh = 0.0597 * (1.0 + cosine * cosine); // 3 / 16 pi
        float dust = 0.0796 * 0.36 / pow(1.64 - 1.6 * cosine, 1.5); // Henyey and Greenstein, 0.8
        vec3 scattered = vec3(0.0);
        vec3 through = vec3(1.0);
        float before = inside.x;
        for (int i = 0; i < kSteps; ++i) {
            // Shorter steps near the eye.
            float share = float(i + 1) / float(kSteps);
            float end = inside.x + (inside.y - inside.x) * share * share;
            vec3 middle = eye + 0.5 * (before + end) * ray;
            float above = max(length(middle) - 1.0, 0.0);
            float amount = params.haze * exp(-above / params.air) * (end - before) / params.air;
            vec3 lit = params.sun.w * sunlight_at(middle);
            through *= exp(-0.5 * amount * (kAirDepth + kDustDepth));
            scattered += through * lit * amount * (kAirDepth * rayleigh + kDustDepth * dust) * 4.0;
            through *= exp(-0.5 * amount * (kAirDepth + kDustDepth));
            before = end;
        }
        // Nobody sees stars in a bright sky.
        float bright = ground ? 0.0 : 20.0 * max(scattered.r, max(scattered.g, scattered.b));
        result = result * through * (result.b < 2.0 ? exp(-bright) : 1.0) + scattered;
    }
    imageStore(color, at, vec4(result, 1.0));
}

#version 460
// The sea of ocean_spectrum.comp under a low sun, by a ray for each texel. A point of the surface is the
// place of the undisturbed one and its displacement, so the place below a point is found by iteration.
layout(local_size_x = 8, local_size_y = 8) in;

readonly buffer Fields { vec2 values[]; } fields; //! doc height and displacement along x; along z and slope along x; slope along z and divergence
layout(rgba32f) writeonly uniform image2D result; //! doc linear colours

uniform Params {
    uint side;         //! default 256, doc numbers of the fields along each axis
    float patch_side;  //! default 200, unit m, doc the sea repeats after so much
    float choppiness;  //! default 1.1, range 0..3, doc how far crests are squeezed
    float eye_height;  //! default 7, range 0.1..1000, unit m
    float highest;     //! default 4, range 0.01..100, unit m, doc waves are no higher
    float fov;         //! default 50, range 1..170, unit degrees
    float pitch;       //! default -6, range -89..89, unit degrees
    vec2 sun;          //! unit degrees, doc to the right of the view, above the horizon
} params;

const float kRadians = 0.017453293;

struct Surface {
    float height;
    vec2 moved; // along x and z
    vec2 slope;
    float divergence;
};

Surface surface_at(ivec2 cell) {
    uint at = uint(cell.y) * params.side + uint(cell.x);
    uint one = params.side * params.side;
    vec2 a = fields.values[at];
    vec2 b = fields.values[one + at];
    vec2 c = fields.values[2u * one + at];
    return Surface(a.x, params.choppiness * vec2(a.y, b.x), vec2(b.y, c.x), params.choppiness * c.y);
}

Surface blended(Surface a, Surface b, float t) {
    return Surface(mix(a.height, b.height, t), mix(a.moved, b.moved, t), mix(a.slope, b.slope, t),
                   mix(a.divergence, b.divergence, t));
}

Surface surface(vec2 place) {
    vec2 at = fract(place / params.patch_side) * float(params.side);
    ivec2 low = min(ivec2(at), int(params.side) - 1);
    ivec2 high = (low + 1) % int(params.side);
    vec2 t = at - vec2(low);
    Surface near_row = blended(surface_at(low), surface_at(ivec2(high.x, low.y)), t.x);
    Surface far_row = blended(surface_at(ivec2(low.x, high.y)), surface_at(high), t.x);
    return blended(near_row, far_row, t.y);
}

// The undisturbed place that is displaced to `place`.
vec2 undisturbed(vec2 place) {
    vec2 from = place;
    for (int i = 0; i < 3; ++i) from = place - surface(from).moved;
    return from;
}

float sea_height(vec2 place) { return surface(undisturbed(place)).height; }

vec3 sun_direction() {
    vec2 angles = params.sun * kRadians;
    return normalize(vec3(sin(angles.x), tan(angles.y), cos(angles.x)));
}

const vec3 kSunColor = vec3(1.0, 0.62, 0.3);

vec3 sky(vec3 ray) {
    float up = max(ray.y, 0.0);
    float toward = max(dot(ray, sun_direction()), 0.0);
    vec3 color = mix(vec3(0.62, 0.42, 0.28), vec3(0.09, 0.18, 0.36), 1.0 - exp(-5.0 * up));
    color += kSunColor * (0.5 * pow(toward, 24.0) + 0.9 * pow(toward, 400.0));
    return color;
}

vec3 sky_with_sun(vec3 ray) {
    float apart = acos(clamp(dot(ray, sun_direction()), -1.0, 1.0));
    return sky(ray) + 260.0 * kSunColor * smoothstep(0.011, 0.008, apart);
}

// Where a ray downwards meets the sea, by steps and then by halves.
float distance_to_sea(vec3 eye, vec3 ray) {
    const int kSteps = 72;
    float first = max((eye.y - params.highest) / -ray.y, 0.0);
    float last = (eye.y + params.highest) / -ray.y;
    float before = first;
    float t = first;
    for (int i = 1; i <= kSteps; ++i) {
        float part = float(i) / float(kSteps);
        t = mix(first, last, part * part); // short steps at the near end
        vec3 p = eye + t * ray;
        if (p.y < sea_height(p.xz)) break;
        before = t;
    }
    for (int i = 0; i < 7; ++i) {
        float middle = 0.5 * (before + t);
        vec3 p = eye + middle * ray;
        if (p.y < sea_height(p.xz)) t = middle;
        else before = middle;
    }
    return t;
}

vec3 sea(vec3 eye, vec3 ray, float texel) {
    float t = distance_to_sea(eye, ray);
    vec3 p = eye + t * ray;
    Surface s = surface(undisturbed(p.xz));
    // Slopes within a texel become roughness.
    float footprint = texel * t / max(-ray.y, 0.02) * float(params.side) / params.patch_side;
    float kept = 1.0 / (1.0 + 0.35 * footprint);
    vec2 slope = s.slope / max(1.0 + vec2(0.5 * s.divergence), 0.3) * kept;
    vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
    vec3 back = -ray;
    float facing = max(dot(normal, back), 0.02);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 mirrored = reflect(ray, normal);
    mirrored.y = abs(mirrored.y);

    float roughness = 0.0006 + 0.02 * (1.0 - kept);
    vec3 halfway = normalize(back + sun_direction());
    vec2 apart = -halfway.xz / max(halfway.y, 0.05) - slope;
    float glint = exp(-0.5 * dot(apart, apart) / roughness) / roughness;

    vec3 depth_color = vec3(0.002, 0.016, 0.026) + vec3(0.006, 0.045, 0.045) * clamp(0.5 + s.height / params.highest, 0.0, 1.0);
    vec3 color = mix(depth_color, sky(mirrored), fresnel) + 0.012 * fresnel * glint * kSunColor * 12.0;
    float foam = smoothstep(0.45, 1.0, -s.divergence) * kept;
    color = mix(color, vec3(0.7, 0.62, 0.55) * (0.35 + 0.65 * normal.y), 0.85 * foam);
    float haze = 1.0 - exp(-t / 900.0);
    return mix(color, sky(normalize(vec3(ray.x, 0.004, ray.z))), haze);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 picture = imageSize(result);
    if (any(greaterThanEqual(texel, picture))) return;
    float wide = tan(0.5 * params.fov * kRadians);
    vec2 at = (2.0 * (vec2(texel) + 0.5) - vec2(picture)) / float(picture.x) * wide;
    float pitch = params.pitch * kRadians;
    vec3 ahead = vec3(0.0, sin(pitch), cos(pitch));
    vec3 up = vec3(0.0, cos(pitch), -sin(pitch));
    vec3 ray = normalize(ahead + at.x * vec3(1.0, 0.0, 0.0) - at.y * up);
    vec3 eye = vec3(0.0, params.eye_height, 0.0);
    vec3 color = ray.y > -0.004 ? sky_with_sun(ray) : sea(eye, ray, 2.0 * wide / float(picture.x));
    imageStore(result, texel, vec4(color, 1.0));
}

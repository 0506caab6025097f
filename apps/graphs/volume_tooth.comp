#version 460
// A molar as a scanner sees it: enamel 1, dentine 0.62, pulp 0.3, air 0, and noise.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(r32f) writeonly uniform image3D density; //! doc from 0 to 1, and a little beyond

uniform Params {
    float noise; //! range 0..1, default 0.06, doc how far numbers are off
} params;

float smooth_min(float a, float b, float reach) {
    float share = clamp(0.5 + 0.5 * (b - a) / reach, 0.0, 1.0);
    return mix(b, a, share) - reach * share * (1.0 - share);
}

// Distance to a rod from `a` to `b` whose radius shrinks from x to y.
float rod(vec3 at, vec3 a, vec3 b, vec2 radius) {
    vec3 along = b - a;
    float share = clamp(dot(at - a, along) / dot(along, along), 0.0, 1.0);
    return distance(at, a + share * along) - mix(radius.x, radius.y, share);
}

// z leads from the tips of the roots to the cusps. `grown`: by how much the surface moves out.
float crown(vec3 at, float grown) {
    float cusps = 0.09 * sin(5.2 * at.x + 0.8) * sin(5.6 * at.y) * smoothstep(0.2, 0.6, at.z);
    vec3 share = abs(vec3(at.xy, at.z - 0.36 - cusps)) / (vec3(0.6, 0.52, 0.42) + grown);
    vec3 squared = share * share;
    return (pow(dot(squared, squared), 0.25) - 1.0) * 0.45;
}

float roots(vec3 at, vec2 radius) {
    float first = rod(at, vec3(-0.26, 0.16, 0.1), vec3(-0.42, 0.2, -0.86), radius);
    float second = rod(at, vec3(0.26, 0.16, 0.1), vec3(0.38, 0.26, -0.8), radius);
    float third = rod(at, vec3(0.0, -0.22, 0.1), vec3(0.05, -0.4, -0.88), radius);
    return smooth_min(first, smooth_min(second, third, 0.08), 0.08);
}

// Uniform in -1 to 1 (the finaliser of MurmurHash3).
float hashed(uvec3 at) {
    uint bits = at.x + 1024u * (at.y + 1024u * at.z) + 0x9e3779b9u;
    bits = (bits ^ (bits >> 16u)) * 0x85ebca6bu;
    bits = (bits ^ (bits >> 13u)) * 0xc2b2ae35u;
    bits ^= bits >> 16u;
    return float(bits >> 8u) * (2.0 / 16777216.0) - 1.0;
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(density);
    if (any(greaterThanEqual(texel, size))) return;
    vec3 at = (vec3(texel) + 0.5) / vec3(size) * 2.0 - 1.0;
    float soft = 1.5 / float(size.x);
    float whole = smooth_min(crown(at, 0.0), roots(at, vec2(0.24, 0.07)), 0.12);
    float dentine = smooth_min(crown(at, -0.11), roots(at, vec2(0.24, 0.07)), 0.1);
    dentine = min(dentine, max(whole, at.z + 0.02)); // roots have no enamel
    float pulp = smooth_min(crown(at + vec3(0.0, 0.0, 0.12), -0.34),
                            roots(at, vec2(0.07, 0.012)), 0.08);
    float number = 1.0 - smoothstep(-soft, soft, whole);
    number = mix(number, 0.62, 1.0 - smoothstep(-soft, soft, dentine));
    number = mix(number, 0.3, 1.0 - smoothstep(-soft, soft, pulp));
    imageStore(density, texel, vec4(number + params.noise * hashed(uvec3(texel))));
}

#version 460
// Directions of light that a GGX surface seen along its normal reflects to the eye, and the level
// of the radiance cube to read for each: the same for all texels of a prefiltered level.

layout(local_size_x = 64) in;

#include "ggx.glsl"

writeonly buffer Lobe {
    vec4 samples[]; // a direction about +z, whose z is its weight too; level of the radiance cube
} lobe;

uniform Params {
    float alpha; // the square of the perceptual roughness
    int side;    // of the radiance cube's first level
} params;

// How many texels of the chosen level, along an axis, cover a sample's share of the lobe: 2^-bias.
// Neighbouring footprints overlap somewhat, which hides the pattern of the samples (Krivanek and
// Colbert, "Real-time Shading with Filtered Importance Sampling", EGSR 2008, section 4).
const float kLevelBias = 0.5;

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint count = uint(lobe.samples.length());
    if (i >= count) return;

    // Half vectors by GGX, none of which reflects the light from below the horizon: t is the
    // squared cosine, and t >= 1/2 is where the distribution function is at most 1 / (1 + alpha^2).
    vec2 point = golden_point(i, count);
    float alpha_squared = params.alpha * params.alpha;
    float upper = 1.0 / (1.0 + alpha_squared);
    float tail = point.x * upper;
    float cosine_squared = (1.0 - tail) / (1.0 + (alpha_squared - 1.0) * tail);
    float cosine = sqrt(cosine_squared);
    float sine = sqrt(max(1.0 - cosine_squared, 0.0));
    float turn = 2.0 * kGgxPi * point.y;
    vec3 light = vec3(2.0 * cosine * sine * vec2(cos(turn), sin(turn)), 2.0 * cosine_squared - 1.0);

    // With view and normal equal, directions of light have density D / 4 times what was cut off.
    float density = 0.25 * ggx_distribution(cosine, params.alpha) / upper;
    float sample_angle = 1.0 / (float(count) * density);
    float texel_angle = 4.0 * kGgxPi / (6.0 * float(params.side) * float(params.side));
    float level = 0.5 * log2(sample_angle / texel_angle) + kLevelBias;
    lobe.samples[i] = vec4(light, max(level, 0.0));
}

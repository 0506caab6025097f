#version 460
// Directions from which a GGX surface seen along its normal reflects light to the eye, and the
// level of the radiance cube to read for each: the same for all texels of a prefiltered level.

layout(local_size_x = 64) in;

#include "scene/ggx.glsl"

writeonly buffer Lobe {
    vec4 samples[]; // x, y of a unit direction about +z; weight; level of the radiance cube
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

    // With r the tangent of the half vector's angle over alpha, half vectors have the density
    // 1 / (1 + r^2)^2 in the plane. Few samples drawn from it would leave the lobe's long tails, in
    // which suns shine, to one or two. These have the density 1 / (1 + r^2)^1.5 and weights to
    // match. Beyond r = 1 / alpha, which is 45 degrees, the light comes from below the horizon.
    vec2 point = golden_point(i, count);
    float alpha_squared = params.alpha * params.alpha;
    float range = 1.0 - inversesqrt(1.0 + 1.0 / alpha_squared);
    float root = 1.0 / (1.0 - range * point.x); // of 1 + r^2
    float tangent_squared = alpha_squared * (root * root - 1.0);
    float cosine_squared = 1.0 / (1.0 + tangent_squared);
    float cosine_light = 2.0 * cosine_squared - 1.0;
    float across = 2.0 * cosine_squared * sqrt(tangent_squared);
    float turn = 2.0 * kGgxPi * point.y;
    float weight = max(cosine_light, 0.0) / root;

    // Directions of light have the density of the half vectors over four cosines.
    float distribution = ggx_distribution(sqrt(cosine_squared), params.alpha);
    float density = 0.125 * distribution * root / range;
    float sample_angle = 1.0 / (float(count) * density);
    float texel_angle = 4.0 * kGgxPi / (6.0 * float(params.side) * float(params.side));
    float level = 0.5 * log2(sample_angle / texel_angle) + kLevelBias;
    lobe.samples[i] = vec4(across * cos(turn), across * sin(turn), weight, max(level, 0.0));
}

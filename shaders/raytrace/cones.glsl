// Ray cones: how wide what a path stands for is, so that textures are looked up no finer than can be
// seen (Akenine-Moeller and others, "Texture Level of Detail Strategies for Real-Time Ray Tracing",
// Ray Tracing Gems, chapter 20, 2019; "Improved Shader and Texture Level of Detail Using Ray Cones",
// JCGT 10(1), 2021). Angles are small: a cone grows by its spread over a unit of length.
#ifndef RAYTRACE_CONES
#define RAYTRACE_CONES

struct Cone {
    float width;  // where the ray begins; 0 with a spread of 0: textures are at their finest level
    float spread; // negative before the focus of a hollow mirror
};

const float kWidest = 1e30;
const float kMostSpread = 4.0;

// In a word whose highest bit is 0, sixteen bits each: floats without their last bits.
uint packed_cone(Cone cone) {
    uint width = floatBitsToUint(clamp(cone.width, 0.0, kWidest)) + 0x8000u;
    uint spread = floatBitsToUint(clamp(cone.spread, -kMostSpread, kMostSpread)) + 0x8000u;
    return (width & 0x7fff0000u) | spread >> 16u;
}

Cone unpacked_cone(uint word) {
    return Cone(uintBitsToFloat(word & 0x7fff0000u), uintBitsToFloat(word << 16u));
}

// Further along the ray by `t`. Behind a focus it grows again.
Cone cone_after(Cone cone, float t) {
    float width = cone.width + cone.spread * t;
    return width < 0.0 ? Cone(-width, -cone.spread) : Cone(width, cone.spread);
}

// How cones are carried on: `TextureLevels` of passes/raytrace/tracer_parameters.hpp.
const uint kConesOfLobes = 0u;   // reflections are as blurred as the material's lobe
const uint kConesOfMirrors = 1u; // all reflections are sharp
const uint kConesNone = 2u;      // textures are looked up at their finest level

const float kWidestLobe = 1.0;

// The width of a lobe of GGX about the mirrored direction: where its distribution of half vectors,
// (1 + tan^2 / alpha^2)^-2, falls to half, on both sides, and twice as much for directions.
float lobe_of(float alpha) {
    const float kHalf = 0.64359425; // sqrt(sqrt(2) - 1)
    return min(4.0 * kHalf * alpha, kWidestLobe);
}

// What a surface makes of a cone that it reflects: it turns the normal over the cone's width, by its
// curvature, and spreads each direction over a lobe. `cosine`: between ray and normal.
Cone reflected_cone(Cone cone, float curvature, float cosine, float lobe, uint cones) {
    if (cones == kConesNone) return cone;
    float turned = curvature * cone.width / max(abs(cosine), 1.0 / 1024.0);
    Cone reflected = Cone(cone.width, cone.spread + 2.0 * turned);
    if (cones == kConesOfLobes && lobe > 0.0)
        reflected.spread = length(vec2(reflected.spread, lobe));
    return reflected;
}

#endif

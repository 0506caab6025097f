// The GGX distribution of microfacets: half vectors and masking. alpha is the square of the
// perceptual roughness.
#ifndef SCENE_GGX
#define SCENE_GGX

const float kGgxPi = 3.14159265358979;

// Density of half vectors at an angle of this cosine to the normal (Walter et al., "Microfacet
// Models for Refraction through Rough Surfaces", EGSR 2007, equation 33).
float ggx_distribution(float n_dot_h, float alpha) {
    float a = n_dot_h * alpha;
    float k = alpha / (1.0 - n_dot_h * n_dot_h + a * a);
    return k * k / kGgxPi;
}

// Smith's Lambda of a direction whose cosine to the normal is `n_dot_w` (Heitz, "Understanding the
// Masking-Shadowing Function", JCGT 3(2), 2014, equation 72).
float ggx_lambda(float n_dot_w, float alpha) {
    float cosine_squared = n_dot_w * n_dot_w;
    float tangent_squared = (1.0 - cosine_squared) / max(cosine_squared, 1e-12);
    return 0.5 * (sqrt(1.0 + alpha * alpha * tangent_squared) - 1.0);
}

// A point of [0, 1)^2: number `i` of `count` points on a golden-ratio lattice, which spreads them
// evenly for every count.
vec2 golden_point(uint i, uint count) {
    return vec2((float(i) + 0.5) / float(count), float(i * 2654435769u) / 4294967296.0);
}

// Two unit vectors that make a right-handed frame with the unit vector `normal`: tangent,
// bitangent, normal (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017).
mat3 frame_about(vec3 normal) {
    float side = normal.z >= 0.0 ? 1.0 : -1.0;
    float a = -1.0 / (side + normal.z);
    float b = normal.x * normal.y * a;
    return mat3(vec3(1.0 + side * normal.x * normal.x * a, side * b, -side * normal.x),
                vec3(b, side + normal.y * normal.y * a, -normal.y), normal);
}

// Reflection of rough surfaces: the GGX microfacet model of glTF's metallic-roughness materials
// (glTF 2.0 specification, appendix B). `alpha` is the square of the perceptual roughness.


// Smith masking and shadowing, correlated in height, over 4 N.L N.V (Heitz, "Understanding the
// Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 3(2), 2014, equation 99).
float ggx_visibility(float n_dot_l, float n_dot_v, float alpha) {
    float a2 = alpha * alpha;
    float from_view = n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2);
    float from_light = n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2);
    return 0.5 / max(from_view + from_light, 1e-6);
}

vec3 fresnel_schlick(vec3 f0, float v_dot_h) {
    float grazing = 1.0 - clamp(v_dot_h, 0.0, 1.0);
    float squared = grazing * grazing;
    return f0 + (1.0 - f0) * (squared * squared * grazing);
}

#endif

// Reflection of rough surfaces: the GGX microfacet model of glTF's metallic-roughness materials
// (glTF 2.0 specification, appendix B). `alpha` is the square of the perceptual roughness.

#include "scene/ggx.glsl"

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

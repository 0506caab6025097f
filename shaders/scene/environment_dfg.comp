#version 460
// The second factor of the split sum: what a GGX surface reflects of even light, as a scale and a
// bias of its specular colour, by N.V along x and perceptual roughness along y.

layout(local_size_x = 8, local_size_y = 8) in;

#include "scene/ggx.glsl"

uniform writeonly image2D dfg;

const uint kSamples = 256u;

// A visible microfacet's normal (Dupuy and Benyoub, "Sampling Visible GGX Normals with Spherical
// Caps", High-Performance Graphics 2023).
vec3 visible_normal(vec3 view, float alpha, vec2 point) {
    vec3 stretched = normalize(vec3(alpha * view.xy, view.z));
    float turn = 2.0 * kGgxPi * point.y;
    float z = (1.0 - point.x) * (1.0 + stretched.z) - stretched.z;
    vec2 across = sqrt(clamp(1.0 - z * z, 0.0, 1.0)) * vec2(cos(turn), sin(turn));
    vec3 normal = vec3(across, z) + stretched;
    return normalize(vec3(alpha * normal.xy, max(normal.z, 1e-7)));
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(dfg);
    if (any(greaterThanEqual(texel, size))) return;

    float n_dot_v = (float(texel.x) + 0.5) / float(size.x);
    float roughness = (float(texel.y) + 0.5) / float(size.y);
    float alpha = roughness * roughness;
    vec3 view = vec3(sqrt(1.0 - n_dot_v * n_dot_v), 0.0, n_dot_v);
    float lambda_view = ggx_lambda(n_dot_v, alpha);

    vec2 sum = vec2(0.0);
    for (uint i = 0u; i < kSamples; ++i) {
        vec3 facet = visible_normal(view, alpha, golden_point(i, kSamples));
        float v_dot_h = max(dot(view, facet), 0.0);
        float n_dot_l = 2.0 * v_dot_h * facet.z - view.z;
        if (n_dot_l <= 0.0) continue;
        // Height-correlated masking-shadowing over masking: what is left of the estimator.
        float seen = (1.0 + lambda_view) / (1.0 + lambda_view + ggx_lambda(n_dot_l, alpha));
        float fresnel = pow(1.0 - v_dot_h, 5.0); // Schlick
        sum += seen * vec2(1.0 - fresnel, fresnel);
    }
    imageStore(dfg, texel, vec4(sum / float(kSamples), 0.0, 0.0));
}

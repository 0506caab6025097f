// The light that a surface reflects of one directional light and an environment. `Params` has the
// members of scene/light_params.glsl; C++: `bind_view`.
#include "scene/environment.glsl"
#include "scene/microfacet.glsl"
#include "scene/shadow.glsl"

uniform sampler2D shadow_map;
uniform samplerCube environment_map;
uniform sampler2D dfg;
uniform Irradiance { vec4 coefficients[9]; } irradiance;

const float kDielectricF0 = 0.04;
const float kSmoothest = 0.002; // alpha; a perfect mirror has no highlight of a point light

struct Lit {
    vec3 position;
    vec3 normal;
    vec3 face_normal;
    vec3 color;
    float metallic;
    float alpha; // square of the roughness, at least kSmoothest
    float occlusion;
};

// `view`: unit, towards the eye.
vec3 lit(Lit surface, vec3 view) {
    vec3 normal = surface.normal;
    float n_dot_v = max(dot(normal, view), 1e-4);
    vec3 base = surface.color * (1.0 - surface.metallic);
    vec3 f0 = mix(vec3(kDielectricF0), surface.color, surface.metallic);
    float alpha = surface.alpha;

    // The directional light.
    vec3 light = params.light_direction;
    float n_dot_l = dot(normal, light);
    vec3 radiance = vec3(0.0);
    if (n_dot_l > 0.0 && dot(surface.face_normal, light) > 0.0) {
        vec3 half_vector = normalize(light + view);
        vec3 fresnel = fresnel_schlick(f0, dot(view, half_vector));
        float specular = ggx_distribution(clamp(dot(normal, half_vector), 0.0, 1.0), alpha) *
                         ggx_visibility(n_dot_l, n_dot_v, alpha);
        float lit_share = 1.0;
        if (params.shadows != 0u)
            lit_share = shadow(shadow_map, params.light_view_projection, surface.position,
                               surface.face_normal, light, params.light_texel);
        vec3 reflected = base * (1.0 - fresnel) / kGgxPi + fresnel * specular;
        radiance = params.light_irradiance * (lit_share * n_dot_l) * reflected;
    }

    // The environment.
    float roughness = sqrt(alpha);
    EnvironmentWeights weights =
        environment_weights(environment_dfg(dfg, n_dot_v, roughness), f0, base);
    vec3 towards = environment_direction(reflect(-view, normal), params.environment_rotation);
    vec3 around = environment_direction(normal, params.environment_rotation);
    vec3 environment =
        weights.specular * environment_specular(environment_map, towards, roughness) +
        weights.diffuse * environment_diffuse(around, irradiance.coefficients);
    return radiance + params.environment_scale * environment * surface.occlusion;
}

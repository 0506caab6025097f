// The light that a surface reflects of one directional light and an environment. `Params` has the
// members of scene/mesh_params.glsl; C++: `bind_view`.
#include "scene/environment.glsl"
#include "scene/ggx.glsl"

// The lit share of a surface by a directional light's shadow map.
//
// Percentage-closer filtering over 3x3 texels, weighted by where the point lies between them, so
// that the edge moves smoothly (Reeves, Salesin and Cook, "Rendering antialiased shadows with depth
// maps", SIGGRAPH 1987). The point is moved off its surface by the width of the filter, which keeps
// the surface from shadowing itself. Points outside the map are lit.
float shadow(sampler2D map, mat4 light_view_projection, vec3 position, vec3 face_normal, vec3 light,
             float texel_size) {
    const float kFilterTexels = 2.0; // half the filter's width, with the slope's worst case
    float slope = sqrt(clamp(1.0 - dot(face_normal, light) * dot(face_normal, light), 0.0, 1.0));
    vec3 moved = position + face_normal * (kFilterTexels * slope * texel_size) +
                 light * (0.5 * texel_size);
    vec3 clip = (light_view_projection * vec4(moved, 1.0)).xyz; // orthographic: w is 1
    vec2 texel = (clip.xy * 0.5 + 0.5) * vec2(textureSize(map, 0)) - 0.5;
    ivec2 corner = ivec2(floor(texel)) - 1;
    vec2 part = texel - floor(texel);
    ivec2 last = textureSize(map, 0) - 1;
    if (any(lessThan(corner, ivec2(0))) || any(greaterThan(corner + 3, last)) || clip.z > 1.0)
        return 1.0;

    // Four texels at a time, looked up at the corner they share. The filter's weights fall to 0 at
    // its rim, which is 2 texels away from the point.
    vec4 near_far = vec4(1.0 - part, part);
    float lit = 0.0;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
            vec2 shared_corner = vec2(corner + 2 * ivec2(x, y) + 1) / vec2(last + 1);
            vec4 unshadowed = vec4(greaterThanEqual(textureGather(map, shared_corner), clip.zzzz));
            vec2 weight_x = x == 0 ? vec2(near_far.x, 1.0) : vec2(1.0, near_far.z);
            vec2 weight_y = y == 0 ? vec2(near_far.y, 1.0) : vec2(1.0, near_far.w);
            // The gathered order is lower left, lower right, upper right, upper left.
            lit += dot(unshadowed, vec4(weight_x, weight_x.yx) * weight_y.yyxx);
        }
    return lit / 9.0;
}

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

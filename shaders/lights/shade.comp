#version 460
// The light that surfaces of a picture reflect of many small lights: those of a pixel's list, in
// ascending order, or all of them.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint has_masks = 0u;
layout(constant_id = 1) const uint has_lists = 0u;
layout(constant_id = 2) const uint has_under = 0u;
layout(constant_id = 3) const uint has_bounds = 0u;
layout(constant_id = 4) const uint has_bins = 0u;

#include "bins.glsl"
#include "light.glsl"
#include "list_of_pixel.glsl"
#include "scene/ggx.glsl"
#include "view.glsl"

uniform sampler2D depth;
uniform sampler2D normal;
uniform sampler2D albedo;
uniform sampler2D under; // light that is there already
readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
readonly buffer Bounds { vec4 values[]; } bounds;
readonly buffer Masks { uint values[]; } masks;
readonly buffer Summaries { uint values[]; } summaries; // of masks: words that are not 0
readonly buffer Bins { uint values[]; } bins;
readonly buffer Lists { uint values[]; } lists;
readonly buffer Counts { uint values[]; } counts;
uniform writeonly image2D result;

uniform Params {
    uint count; // lights
    uint words; // of a mask
    uint summary_words;
    uint room;  // of a list
    uint side;  // of a tile
    uint tiles_x;
    uint lists_a_tile;
    vec2 scale;
    vec4 depth_terms;
    vec4 bin_terms;
    float perspective;
    mat4 world_from_view;
    float roughness;
    float metallic;
    vec3 ambient;
    vec4 background;
} params;

const float kDielectricF0 = 0.04;
const float kLeastAlpha = 0.002;

struct Surface {
    vec3 position;
    vec3 normal;
    vec3 view; // towards the eye
    vec3 base;
    vec3 f0;
    float alpha;
};

vec3 reflected(uint i, Surface surface) {
    vec4 sphere = spheres.values[i];
    vec3 to_light = sphere.xyz - surface.position;
    float squared = dot(to_light, to_light);
    if (!(sphere.w > 0.0 && squared < sphere.w * sphere.w)) return vec3(0.0);
    LightShade light = shades.values[i];
    if (!shines(sphere, light)) return vec3(0.0);
    vec3 direction = to_light * inversesqrt(max(squared, 1e-20));
    float n_dot_l = dot(surface.normal, direction);
    float share = cone_share(light, -direction);
    if (!(n_dot_l > 0.0 && share > 0.0)) return vec3(0.0);
    vec3 half_vector = normalize(direction + surface.view);
    float n_dot_v = max(dot(surface.normal, surface.view), 1e-4);
    vec3 fresnel = fresnel_schlick(surface.f0, dot(surface.view, half_vector));
    float specular = ggx_distribution(clamp(dot(surface.normal, half_vector), 0.0, 1.0),
                                      surface.alpha) *
                     ggx_visibility(n_dot_l, n_dot_v, surface.alpha);
    vec3 reflectance = surface.base * (1.0 - fresnel) / kGgxPi + fresnel * specular;
    return light.color * (falloff(squared, sphere.w) * share * n_dot_l) * reflectance;
}

vec3 of_all(Surface surface) {
    vec3 sum = vec3(0.0);
    for (uint i = 0u; i < params.count; ++i)
        sum += reflected(i, surface);
    return sum;
}

vec3 of_mask(uint list, float away, Surface surface) {
    vec3 sum = vec3(0.0);
    uint first = list * params.words;
    uint first_of_bin = has_bins != 0u ? bin_of(away, params.bin_terms) * params.words : 0u;
    for (uint s = 0u; s < params.summary_words; ++s)
        for (uint words = summaries.values[list * params.summary_words + s]; words != 0u;
             words &= words - 1u) {
            uint w = 32u * s + uint(findLSB(words));
            uint left = masks.values[first + w];
            if (has_bins != 0u) left &= bins.values[first_of_bin + w];
            for (; left != 0u; left &= left - 1u)
                sum += reflected(32u * w + uint(findLSB(left)), surface);
        }
    return sum;
}

vec3 of_list(uint list, Surface surface) {
    uint listed = counts.values[list];
    if (listed > params.room) return of_all(surface); // not all have found room
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < listed; ++k)
        sum += reflected(lists.values[list * params.room + k], surface);
    return sum;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec4 below = has_under != 0u ? texelFetch(under, texel, 0) : vec4(0.0);
    float value = texelFetch(depth, texel, 0).x;
    if (!(value >= 0.0 && value < 1.0)) {
        imageStore(result, texel, has_under != 0u ? below : params.background);
        return;
    }
    float away = distance_of(value, params.depth_terms);
    vec2 slope = slope_of(vec2(texel), vec2(size), params.scale);
    float w = mix(1.0, away, params.perspective);
    vec3 color = texelFetch(albedo, texel, 0).rgb;

    Surface surface;
    surface.position = (params.world_from_view * vec4(slope * w, -away, 1.0)).xyz;
    vec3 looks = texelFetch(normal, texel, 0).xyz;
    surface.normal = looks * inversesqrt(max(dot(looks, looks), 1e-12));
    vec3 towards_eye = mix(vec3(0.0, 0.0, 1.0), vec3(-slope, 1.0), params.perspective);
    surface.view = normalize(mat3(params.world_from_view) * towards_eye);
    surface.base = color * (1.0 - params.metallic);
    surface.f0 = mix(vec3(kDielectricF0), color, params.metallic);
    surface.alpha = max(params.roughness * params.roughness, kLeastAlpha);

    vec3 sum;
    if (has_masks == 0u && has_lists == 0u) {
        sum = of_all(surface);
    } else {
        uint tile = uint(texel.y) / params.side * params.tiles_x + uint(texel.x) / params.side;
        uint list = list_of_pixel(uvec2(texel), params.side, params.tiles_x, params.lists_a_tile,
                                  value, has_bounds != 0u ? bounds.values[tile] : vec4(0.0));
        sum = has_lists != 0u ? of_list(list, surface) : of_mask(list, away, surface);
    }
    imageStore(result, texel, vec4(below.rgb + params.ambient * color + sum, 1.0));
}

#version 460
// A ray from what each pixel shows to one light; where the light shines not, one that hits nothing.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "reflect.glsl"
#include "view.glsl"

struct Ray {
    vec3 origin;
    float t_max;
    vec3 direction;
    uint leaves;
};

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
uniform sampler2D depth;
uniform sampler2D normal;
writeonly buffer Rays { Ray values[]; } rays;

uniform Params {
    uint light;
    uvec2 size; // of the picture
    vec2 scale;
    vec4 depth_terms;
    float perspective;
    mat4 world_from_view;
    float bias; // of a pixel's distance
    float gap;  // before the light, world units
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.size.x * params.size.y) return;
    ivec2 texel = ivec2(i % params.size.x, i / params.size.x);
    Ray ray = Ray(vec3(0.0), -1.0, vec3(0.0, 0.0, 1.0), 0xffffffffu);
    float value = texelFetch(depth, texel, 0).x;
    vec4 sphere = spheres.values[params.light];
    LightShade light = shades.values[params.light];
    if (value >= 0.0 && value < 1.0 && shines(sphere, light)) {
        Seen seen = seen_at(vec2(texel), vec2(params.size), value, params.scale,
                            params.depth_terms, params.perspective, params.world_from_view);
        vec3 looks = texelFetch(normal, texel, 0).xyz;
        looks *= inversesqrt(max(dot(looks, looks), 1e-12));
        vec3 from = seen.position + looks * (params.bias * length(seen.view) * abs(seen.away));
        vec3 to_light = sphere.xyz - from;
        float away = length(to_light);
        bool lit = is_in_range(sphere, seen.position) && dot(looks, to_light) > 0.0 &&
                   cone_share(light, -to_light / max(away, 1e-20)) > 0.0;
        if (lit && away > params.gap)
            ray = Ray(from, 1.0 - params.gap / away, to_light, 0xffffffffu);
    }
    rays.values[i] = ray;
}

#version 460
// Light through balls of media in small steps: slow, and near the truth where steps are many.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint spheres;
    uint tile;
    uint tiles_per_row;
    uint entries;
    float softness;
    vec3 light;
    uint steps;
    float range;
} params;

#include "scene/environment.glsl"
#include "scene/scene_color.glsl"
#include "lists.glsl"
#include "view.glsl"
#include "spheres.glsl"

uniform sampler2D opaque;
writeonly uniform image2D result;

// The share of a ball's density that a ray meets in it, at any of its points.
float share_at(vec4 ball, vec3 direction, vec3 place) {
    vec3 from_middle = place - ball.xyz;
    if (!(dot(from_middle, from_middle) < ball.w * ball.w)) return 0.0;
    if (!(params.softness > 0.0)) return 1.0;
    vec3 beside = from_middle - dot(from_middle, direction) * direction;
    return pow(clamp(1.0 - dot(beside, beside) / (ball.w * ball.w), 0.0, 1.0), params.softness);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(texel), params.size))) return;
    vec3 direction = ray_through(vec2(texel) + 0.5, params.first, params.per_x, params.per_y);
    vec4 behind = texelFetch(opaque, texel, 0);
    float length_of_ray = min(params.range, opaque_distance(behind.a));
    float step_length = length_of_ray / float(params.steps);
    SphereList list = spheres_of(uvec2(texel));

    vec3 gained = vec3(0.0);
    vec3 through = vec3(1.0);
    for (uint i = 0u; i < params.steps; ++i) {
        vec3 place = params.eye + (float(i) + 0.5) * step_length * direction;
        vec3 extinction = vec3(0.0);
        vec3 source = vec3(0.0);
        for (uint k = 0u; k < list.count; ++k) {
            uint sphere = sphere_of(list, k);
            float share = share_at(balls.values[sphere], direction, place);
            if (!(share > 0.0)) continue;
            extinction += share * optics.values[3u * sphere].rgb;
            source += share * (optics.values[3u * sphere + 1u].rgb +
                               optics.values[3u * sphere + 2u].rgb * params.light);
        }
        gained += through * source * step_length;
        through *= exp(-extinction * step_length);
    }
    imageStore(result, texel, vec4(gained + through * usable_color(behind.rgb), 1.0));
}

#version 460
// Colour of what is opaque and its distance from the eye, along the ray.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    vec3 eye;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    float near_plane;
    float far_plane;
    uint has_color;
    uint has_depth;
    vec4 background;
} params;

#include "scene/scene_color.glsl"
#include "view.glsl"

uniform sampler2D color;
uniform sampler2D depth;
writeonly uniform image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(texel), params.size))) return;
    float away = kFarthest;
    if (params.has_depth != 0u) {
        float clip = texelFetch(depth, texel, 0).r;
        float along = params.near_plane * params.far_plane /
                      (params.far_plane - clip * (params.far_plane - params.near_plane));
        // The rays' third coordinate is 1 before they are made of unit length.
        vec2 middle = vec2(texel) + 0.5;
        vec3 direction = params.first + middle.x * params.per_x + middle.y * params.per_y;
        if (clip >= 0.0 && clip < 1.0) away = along * length(direction);
    }
    vec3 shown = params.has_color != 0u ? usable_color(texelFetch(color, texel, 0).rgb)
                                        : params.background.rgb;
    imageStore(result, texel, vec4(shown, away));
}

#version 460
// The environment as a camera sees it behind a scene.

#include "scene/environment.glsl"

uniform sampler2D panorama;
uniform samplerCube environment_map;
uniform Params {
    mat4 inverse_view_projection;
    vec3 scale;
    float rotation; // degrees
    float blur;     // 0: the panorama itself; to 1: the environment seen in a rough mirror
} params;

layout(location = 0) in vec2 clip;
layout(location = 0) out vec4 result;

void main() {
    vec4 near = params.inverse_view_projection * vec4(clip, 0.0, 1.0);
    vec4 far = params.inverse_view_projection * vec4(clip, 1.0, 1.0);
    vec3 world = far.xyz / far.w - near.xyz / near.w;
    vec3 direction = environment_direction(world, params.rotation);
    vec3 radiance = params.blur > 0.0
                        ? environment_specular(environment_map, direction, params.blur)
                        : environment_background(panorama, direction);
    result = vec4(radiance * params.scale, 1.0);
}

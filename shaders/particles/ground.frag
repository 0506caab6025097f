#version 460
// The floor of the box and the ball that stands on it.

uniform Params {
    mat4 view_projection;
    mat4 inverse_view_projection;
    vec3 eye;
    vec4 sphere;
    vec3 low;
    vec3 high;
} params;
#include "view.glsl"

layout(location = 0) in vec2 clip;
layout(location = 0) out vec4 result;

float depth_of(vec3 place) {
    vec4 projected = params.view_projection * vec4(place, 1.0);
    return clamp(projected.z / projected.w, 0.0, 1.0);
}

// The floor, with the outline of the box.
vec3 floor_color(vec2 place) {
    vec2 middle = 0.5 * (params.low.xz + params.high.xz);
    vec2 half_size = 0.5 * (params.high.xz - params.low.xz);
    vec2 outside = abs(place - middle) - half_size;
    float border = max(outside.x, outside.y);
    float width = 0.012 * length(half_size);
    float line = 1.0 - smoothstep(0.6, 1.0, abs(border - width) / width);
    return kFloor * mix(1.0, 0.35, line) * (border < 0.0 ? 0.85 : 1.0);
}

void main() {
    vec4 far = params.inverse_view_projection * vec4(clip, 1.0, 1.0);
    vec3 direction = normalize(far.xyz / far.w - params.eye);
    result = vec4(sky(direction), 1.0);
    gl_FragDepth = 1.0;

    float down = (params.low.y - params.eye.y) / direction.y;
    if (down > 0.0 && direction.y != 0.0) {
        vec3 place = params.eye + down * direction;
        vec3 color =
            shaded(floor_color(place.xz), place, vec3(0.0, 1.0, 0.0), 1.0, params.sphere);
        // Far away the floor becomes the sky.
        float size = length(params.high - params.low);
        float haze = smoothstep(1.5, 6.0, length(place.xz - 0.5 * (params.low + params.high).xz) /
                                              max(size, 1e-20));
        result.rgb = mix(color, sky(vec3(0.0)), haze);
        gl_FragDepth = depth_of(place);
    }
    float ball = params.sphere.w > 0.0
                     ? ball_hit(params.eye, direction, params.sphere.xyz, params.sphere.w)
                     : -1.0;
    if (ball > 0.0 && (down <= 0.0 || ball < down)) {
        vec3 place = params.eye + ball * direction;
        vec3 normal = (place - params.sphere.xyz) / params.sphere.w;
        float sun = max(dot(normal, kSun), 0.0);
        float shine = pow(max(dot(reflect(direction, normal), kSun), 0.0), 60.0);
        vec3 around = mix(kFloor * 0.45, kSky, 0.5 + 0.5 * normal.y);
        result.rgb = vec3(0.8, 0.78, 0.75) * (kSunlight * sun + around) * 0.5 + 0.8 * shine;
        gl_FragDepth = depth_of(place);
    }
}

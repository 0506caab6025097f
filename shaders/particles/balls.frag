#version 460
// The ball within its square.

uniform Params {
    mat4 view_projection;
    vec3 eye;
    vec4 sphere;
    vec3 low;
    vec3 high;
    float radius;
    float brightest;
    uint color_by;
} params;
#include "view.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) flat in vec3 center;
layout(location = 2) flat in vec2 value;
layout(location = 0) out vec4 result;

// From slow to fast.
vec3 color_of(float at) {
    const vec3 kColors[4] = vec3[4](vec3(0.02, 0.09, 0.42), vec3(0.06, 0.45, 0.75),
                                    vec3(0.95, 0.85, 0.5), vec3(0.95, 0.28, 0.05));
    float along = at * 3.0;
    int first = min(int(along), 2);
    return mix(kColors[first], kColors[first + 1], along - float(first));
}

void main() {
    vec3 direction = normalize(place - params.eye);
    float away = ball_hit(params.eye, direction, center, params.radius);
    if (away <= 0.0) discard;
    vec3 hit = params.eye + away * direction;
    vec3 normal = (hit - center) / params.radius;
    result = vec4(shaded(color_of(value.x), hit, normal, value.y, params.sphere), 1.0);
    vec4 projected = params.view_projection * vec4(hit, 1.0);
    gl_FragDepth = clamp(projected.z / projected.w, 0.0, 1.0);
}

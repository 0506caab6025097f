#version 460
//! vertex bodies/around
// The body within its box, lit by the sun.

#include "body.glsl"

readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Shapes { vec4 values[]; } shapes;
readonly buffer Geometry { vec4 values[]; } geometry;
readonly buffer Motions { vec4 values[]; } motions;
readonly buffer Rest { vec2 values[]; } rest;
readonly buffer Tints { uint values[]; } tints;
layout(constant_id = 0) const uint has_tints = 0u;
uniform sampler2D shadow;

uniform Params {
    mat4 view_projection;
    mat4 sun;
    vec3 eye;
    vec3 direction;
    uint parallel;
    uint color_by;
    float brightest;
    float texel;
} params;

#include "field.glsl"
#include "shape_hit.glsl"
#include "view.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) flat in uint body;
layout(location = 0) out vec4 result;

const uint kByBody = 0u; // as BodyColor
const uint kBySpeed = 1u;
const uint kBySet = 2u;
const uint kByBatch = 3u;
const uint kBySleep = 4u;

// Around the circle of hues.
vec3 hue(float at) {
    return clamp(abs(fract(at + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

vec3 from_slow_to_fast(float at) {
    const vec3 kColors[4] = vec3[4](vec3(0.02, 0.09, 0.42), vec3(0.06, 0.45, 0.75),
                                    vec3(0.95, 0.85, 0.5), vec3(0.95, 0.28, 0.05));
    float along = clamp(at, 0.0, 1.0) * 3.0;
    int first = min(int(along), 2);
    return mix(kColors[first], kColors[first + 1], along - float(first));
}

vec3 color_of_body() {
    if (places.values[body].w <= 0.0) return vec3(0.5, 0.5, 0.52);
    if (params.color_by == kBySpeed)
        return from_slow_to_fast(length(motions.values[2u * body].xyz) / params.brightest);
    if (params.color_by == kBySleep)
        return rest.values[body].y != 0.0 ? vec3(0.12, 0.2, 0.45) : vec3(0.95, 0.55, 0.12);
    if (has_tints != 0u) {
        uint tint = tints.values[body];
        if (tint == 0u) return vec3(0.7);
        const vec3 kSets[8] = vec3[8](vec3(0.85, 0.15, 0.12), vec3(0.12, 0.45, 0.85), vec3(0.95, 0.7, 0.08),
                                      vec3(0.1, 0.6, 0.2), vec3(0.55, 0.2, 0.7), vec3(0.1, 0.7, 0.7),
                                      vec3(0.9, 0.4, 0.6), vec3(0.4, 0.3, 0.2));
        if (params.color_by == kBySet) return kSets[(tint - 1u) & 7u];
        return from_slow_to_fast(float(tint - 1u) / params.brightest);
    }
    uint random = body * 2654435761u;
    random ^= random >> 15u;
    return mix(vec3(0.9), hue(float(random & 0xffffu) / 65536.0), 0.55) *
           (0.55 + 0.35 * float(random >> 16u & 0xffu) / 255.0);
}

void main() {
    vec4 turn = turns.values[body];
    vec3 middle = places.values[body].xyz;
    Shape shape = shape_of(shapes.values[2u * body], shapes.values[2u * body + 1u]);
    vec3 along = normalize(place - params.eye);
    ShapeHit hit = hit_shape(shape, rotated_back(turn, params.eye - middle), rotated_back(turn, along));
    if (hit.t < 0.0) discard;
    vec3 at = params.eye + hit.t * along;
    vec3 normal = rotated(turn, hit.normal);
    float sun = sunlit(shadow, params.sun, at, normal, params.texel);
    result = vec4(lit(color_of_body(), normal, sun), 1.0);
    vec4 projected = params.view_projection * vec4(at, 1.0);
    gl_FragDepth = clamp(projected.z / projected.w, 0.0, 1.0);
}

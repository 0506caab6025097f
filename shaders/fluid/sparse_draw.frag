#version 460
// Smoke of one brick along a ray, to be put under what nearer bricks have drawn.
// HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(early_fragment_tests) in;

#include "cells.glsl"
#include "sparse_rays.glsl"
#include "sparse_shading.glsl"
#include "sparse_draw.glsl"

layout(location = 0) flat in uvec2 entry;
layout(location = 0) out vec4 color; // what it sends, and the share that it takes

void main() {
    vec2 clip = gl_FragCoord.xy / params.texels * 2.0 - 1.0;
    vec3 direction = normalize(params.forward + clip.x * params.right + clip.y * params.down);
    vec3 low = vec3(brick_at(entry.x) * kBrick);
    vec3 high = min(low + vec3(kBrick), vec3(kDomain));
    vec2 span = span_in(params.eye, inverse_of(direction), low, high);
    span.y = min(span.y, end_of_ray(ivec2(gl_FragCoord.xy), params.range, params.forward, direction));
    float near = max(span.x, 0.0);
    int first = int(ceil(near / params.step_length - 0.5));
    int last = int(ceil(span.y / params.step_length - 0.5));
    vec3 gained = vec3(0.0);
    float through = 1.0;
    for (int i = first; i < last && through > params.opaque; ++i) {
        vec3 place = params.eye + (float(i) + 0.5) * params.step_length * direction;
        vec4 piece = shaded(sample_at(place, brick_at(entry.x), slot_of(entry.y)), params.how,
                            params.step_length);
        gained += through * piece.rgb;
        through *= piece.a;
    }
    color = vec4(gained, 1.0 - through);
}

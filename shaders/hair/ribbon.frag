#version 460
//! vertex hair/ribbon
// Keeps a fragment of a ribbon.

#include "append.glsl"
#include "ribbon.glsl"

layout(constant_id = 1) const uint has_depth = 0u;
uniform sampler2D depth; // of what hides hair

uniform Params {
    uint vertices;
    mat4 clip_from_world;
    vec2 size;
    float scale;
    float radius;
    float tip;
    float opacity;
    uint capacity;
    uint strands;
    uint stride;
} params;

layout(location = 0) noperspective in vec3 color;
layout(location = 1) noperspective in vec2 across;
layout(location = 2) flat in uint edge;

void main() {
    float cover = covered(across.x, across.y) * params.opacity;
    if (cover < 1.0 / 512.0) discard;
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float place = gl_FragCoord.z;
    if (has_depth != 0u) {
        if (place > texelFetch(depth, pixel, 0).x) discard;
    }
    append(uint(pixel.y) * uint(params.size.x) + uint(pixel.x), vec4(color, cover), place, edge,
           params.capacity);
}

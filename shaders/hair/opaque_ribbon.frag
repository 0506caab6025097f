#version 460
//! vertex hair/ribbon
// A ribbon that hides what is behind it.

#include "ribbon.glsl"

layout(constant_id = 1) const uint has_depth = 0u;
uniform sampler2D depth; // of what hides hair

layout(location = 0) noperspective in vec3 color;
layout(location = 1) noperspective in vec2 across;
layout(location = 2) flat in uint edge;
layout(location = 0) out vec4 result;

void main() {
    if (covered(across.x, across.y) < 0.5 * min(2.0 * across.y, 1.0)) discard;
    if (has_depth != 0u) {
        if (gl_FragCoord.z > texelFetch(depth, ivec2(gl_FragCoord.xy), 0).x) discard;
    }
    result = vec4(color, 1.0);
}

#version 460
//! vertex oit/corner
// The nearest transparent layer behind the one before. Where depths are equal the next triangle in
// the order of their numbers, in which they are drawn, comes next.

#include "scene/mesh_shading.glsl"

layout(constant_id = 0) const uint kFirstLayer = 0u; // 1: there is no layer before

uniform sampler2D opaque_depth;
uniform sampler2D depth_before;
uniform usampler2D triangle_before; // 1 more than its number; 0: there was none

layout(location = 7) flat in uint triangle;

layout(location = 0) out vec4 color; // not multiplied by alpha
layout(location = 1) out uint number;

void main() {
    vec4 surface = shaded_surface();
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float depth = gl_FragCoord.z;
    if (!(depth < texelFetch(opaque_depth, texel, 0).r)) discard;
    if (kFirstLayer == 0u) {
        float before = texelFetch(depth_before, texel, 0).r;
        uint last = texelFetch(triangle_before, texel, 0).r;
        if (last == 0u || depth < before || (depth == before && triangle < last)) discard;
    }
    surface = mix(surface, vec4(0.0), isnan(surface));
    // As captured fragments are rounded: what devices do where they store 8 bits is left to them.
    color = unpackUnorm4x8(packUnorm4x8(clamp(surface, 0.0, 1.0)));
    number = triangle + 1u;
}

#version 460
//! vertex oit/corner
//! variants MOMENTS=4,6,8
// Sums of transparent colours, each as much as comes through from it. The blend state adds up the
// first three channels and multiplies what comes through in the fourth.

layout(early_fragment_tests) in;

layout(push_constant) uniform Absorption {
    vec4 warp;   // of depths, for moment_depth
    float share; // for transmittance
} absorption;

#include "moments.glsl"
#include "scene/mesh_shading.glsl"

uniform sampler2D powers;
uniform sampler2D optical;
#if MOMENTS > 4
uniform sampler2D high_powers;
#endif

layout(location = 7) flat in uint triangle;

layout(location = 0) out vec4 colors;  // sum of weight * colour | alpha
layout(location = 1) out float weight; // alpha * what comes through

void main() {
    vec4 surface = shaded_surface();
    surface = mix(surface, vec4(0.0), isnan(surface));
    float alpha = clamp(surface.a, 0.0, 1.0);
    ivec2 texel = ivec2(gl_FragCoord.xy);
#if MOMENTS > 4
    Moments m = Moments(texelFetch(optical, texel, 0).r, texelFetch(powers, texel, 0),
                        texelFetch(high_powers, texel, 0));
#else
    Moments m = Moments(texelFetch(optical, texel, 0).r, texelFetch(powers, texel, 0));
#endif
    weight = alpha * transmittance(m, moment_depth(gl_FragCoord.z, absorption.warp),
                                   absorption.share);
    colors = vec4(clamp(surface.rgb, 0.0, 65504.0) * weight, alpha);
}

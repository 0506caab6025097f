#version 460
//! vertex oit/corner
//! variants MOMENTS=4,6,8
// Adds up the moments of what absorbs light. The blend state adds.

layout(early_fragment_tests) in;

layout(push_constant) uniform Absorption {
    vec4 warp; // of depths, for moment_depth
} absorption;

#include "moments.glsl"
#include "scene/mesh_shading.glsl"

layout(location = 7) flat in uint triangle;

layout(location = 0) out vec4 powers;
layout(location = 1) out float optical;
#if MOMENTS > 4
layout(location = 2) out vec4 high_powers;
#endif

void main() {
    float alpha = surface_at().base_color.a;
    alpha = isnan(alpha) ? 0.0 : clamp(alpha, 0.0, 1.0);
    Moments m =
        moments_of(optical_depth(alpha), moment_depth(gl_FragCoord.z, absorption.warp));
    powers = m.powers;
    optical = m.optical;
#if MOMENTS > 4
    high_powers = m.high;
#endif
}

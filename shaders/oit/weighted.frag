#version 460
//! vertex oit/corner
// Sums of transparent colours, weighted by how near they are. The blend state adds up the first
// three channels and multiplies what comes through in the fourth.

layout(early_fragment_tests) in;

#include "scene/mesh_shading.glsl"

layout(location = 7) flat in uint triangle;

layout(location = 0) out vec4 colors;  // sum of weight * alpha * colour | alpha
layout(location = 1) out vec4 weights; // sum of weight * alpha

void main() {
    vec4 surface = shaded_surface();
    surface = mix(surface, vec4(0.0), isnan(surface));
    float alpha = clamp(surface.a, 0.0, 1.0);
    // McGuire and Bavoil, "Weighted Blended Order-Independent Transparency", JCGT 2(2), 2013,
    // equation 10, a hundredth of it so that sums fit half floats, with its floor as it is.
    float nearness = 1.0 - gl_FragCoord.z;
    float weight = max(1e-2, 30.0 * nearness * nearness * nearness);
    colors = vec4(clamp(surface.rgb, 0.0, 64.0) * alpha * weight, alpha);
    weights = vec4(alpha * weight);
}

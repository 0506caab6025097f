#version 460
//! vertex oit/corner
// One sample of stochastic transparency: a fragment is there with the probability of its alpha, and
// the depth test leaves the nearest one that is there (Enderton et al., I3D 2010).

layout(push_constant) uniform Sample {
    uint number; // of the sample
    uint seed;
} chance;

#include "hash.glsl"
#include "scene/mesh_shading.glsl"

uniform sampler2D opaque_depth;

layout(location = 7) flat in uint triangle;

layout(location = 0) out vec4 color; // alpha 1

void main() {
    vec4 surface = shaded_surface(); // needs its neighbours: comes first
    uvec2 texel = uvec2(gl_FragCoord.xy);
    if (!(gl_FragCoord.z < texelFetch(opaque_depth, ivec2(texel), 0).r)) discard;
    surface = mix(surface, vec4(0.0), isnan(surface));
    uvec3 words = pcg3d(uvec3(texel.x | (texel.y << 16u), triangle, chance.number));
    if (!(random_numbers(words.x, words.y, chance.seed).x < surface.a)) discard;
    color = vec4(clamp(surface.rgb, 0.0, 65504.0), 1.0);
}

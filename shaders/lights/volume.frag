#version 460
//! vertex lights/volume
// What one light adds to a pixel.

layout(constant_id = 0) const uint has_material = 0u;

#include "light.glsl"
#include "reflect.glsl"
#include "view.glsl"
#include "volume_params.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
uniform sampler2D depth;
uniform sampler2D normal;
uniform sampler2D albedo;
uniform sampler2D material; // roughness, metallic

layout(location = 0) flat in uint light;
layout(location = 0) out vec4 added;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    float value = texelFetch(depth, texel, 0).x;
    if (!(value >= 0.0 && value < 1.0)) discard;
    Seen seen = seen_at(vec2(texel), params.size, value, params.scale, params.depth_terms,
                        params.perspective, params.world_from_view);
    if (!is_in_range(spheres.values[light], seen.position)) discard;
    vec2 kind = has_material != 0u ? texelFetch(material, texel, 0).xy
                                   : vec2(params.roughness, params.metallic);
    LitSurface surface =
        lit_surface(seen.position, texelFetch(normal, texel, 0).xyz, seen.view,
                    texelFetch(albedo, texel, 0).rgb, kind.x, kind.y);
    added = vec4(reflected(spheres.values[light], shades.values[light], surface), 0.0);
}

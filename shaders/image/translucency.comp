#version 460
// A translucent layer over a picture: where the layer is in front, the picture behind it is seen
// blurred and tinted.

layout(local_size_x = 8, local_size_y = 8) in;

#include "hash.glsl"
#include "summed_area.glsl"

const uint kFrosted = 0u; // as in passes/image/translucency.hpp
const uint kUneven = 1u;
const uint kFoil = 2u;

uniform sampler2D source;
uniform sampler2D depth; // of the picture
uniform sampler2D layer_depth;
uniform sampler2D sums;
readonly buffer Mean { vec4 value; } mean; // that was taken from every texel
uniform writeonly image2D result;
uniform writeonly image2D result_depth;

uniform Params {
    ivec2 origin;
    vec3 tint;
    float radius;     // texels
    uint material;
    float cell;       // texels: size of the bumps of uneven plastic
} params;

float lattice(ivec2 at) {
    return unit_interval(pcg3d(uvec3(at, 0))).x;
}

// Smooth noise from 0 to 1, and its slope.
vec3 bumps(vec2 at) {
    ivec2 cell = ivec2(floor(at));
    vec2 f = at - vec2(cell);
    vec2 s = f * f * (3.0 - 2.0 * f);
    vec2 ds = 6.0 * f * (1.0 - f);
    float a = lattice(cell), b = lattice(cell + ivec2(1, 0));
    float c = lattice(cell + ivec2(0, 1)), d = lattice(cell + ivec2(1, 1));
    float k = a - b - c + d;
    return vec3(a + (b - a) * s.x + (c - a) * s.y + k * s.x * s.y, ds.x * (b - a + k * s.y),
                ds.y * (c - a + k * s.x));
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    float behind = texelFetch(depth, texel, 0).r;
    float own = texelFetch(layer_depth, texel, 0).r;
    vec4 color = texelFetch(source, texel, 0);
    if (own < behind) {
        float radius = params.radius;
        ivec2 centre = texel;
        if (params.material == kUneven) {
            // The surface bends the view to where it slopes, and is thicker on its bumps.
            vec3 bump = bumps(vec2(texel) / params.cell);
            centre += ivec2(round(bump.yz * radius));
            radius *= bump.x;
        } else if (params.material == kFoil) {
            radius *= 0.25;
        }
        centre = clamp(centre, ivec2(0), size - 1);
        vec4 seen = radius > 0.0
                        ? box_mean(sums, centre, vec2(radius), params.origin) + mean.value
                        : texelFetch(source, centre, 0);
        color = vec4(seen.rgb * params.tint, color.a);
    }
    imageStore(result, texel, color);
    imageStore(result_depth, texel, vec4(min(own, behind), 0.0, 0.0, 1.0));
}

#version 460
// A cone for each site, seen from above: its apex at the middle of the texel, depth 0, its rim at
// depth 1. The rim is a polygon around the circle of `radius`.

#include "site.glsl"

readonly buffer Contour { uint texels[]; } contour; // row by row

uniform Params {
    ivec2 size;
    float radius; // texels
    uint segments;
} params;

const float kPi = 3.14159265358979;

layout(location = 0) flat out uint site;

void main() {
    uint index = contour.texels[gl_InstanceIndex];
    ivec2 texel = ivec2(index % uint(params.size.x), index / uint(params.size.x));
    uint corner = uint(gl_VertexIndex) % 3u;
    uint segment = (uint(gl_VertexIndex) / 3u + (corner == 2u ? 1u : 0u)) % params.segments;
    float angle = 2.0 * kPi * float(segment) / float(params.segments);
    float reach = corner == 0u ? 0.0 : params.radius / cos(kPi / float(params.segments));
    vec2 place = vec2(texel) + 0.5 + reach * vec2(cos(angle), sin(angle));
    site = site_of(texel);
    gl_Position = vec4(place / vec2(params.size) * 2.0 - 1.0, corner == 0u ? 0.0 : 1.0, 1.0);
}

#version 460
// A picture of what a camera sees of a map: its colours, or its normals as light from the camera.
#include "camera.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D geometry;
uniform sampler2D color;
writeonly uniform image2D result;

uniform Params {
    vec4 intrinsics;
    ivec2 size;
    vec4 background;
    float light; // share of the light that depends on normals
    uint colored;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, params.size))) return;
    vec4 surface = texelFetch(geometry, texel, 0);
    vec4 shown = params.background;
    if (surface.w > 0.0) {
        vec3 towards = -normalize(ray_of(params.intrinsics, vec2(texel)));
        float light = dot(surface.xyz, surface.xyz) > 0.5 ? max(dot(surface.xyz, towards), 0.0) : 0.5;
        vec4 seen = texelFetch(color, texel, 0);
        vec3 base = params.colored != 0u && seen.a > 0.0 ? seen.rgb : vec3(0.75);
        shown = vec4(base * mix(1.0, light, params.light), 1.0);
    }
    imageStore(result, texel, shown);
}

#version 460
// A recorded frame in metres: depths are scaled, those that mean nothing are 0; colours have the depth's size.
#include "camera.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source_depth;
uniform sampler2D source_color; // linear
layout(constant_id = 0) const uint has_source_color = 0;
writeonly uniform image2D depth;
writeonly uniform image2D color;

uniform Params {
    uvec2 size;
    float scale;   // metres of a depth of 1
    float invalid; // a depth, before it is scaled
} params;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, params.size))) return;
    float z = texelFetch(source_depth, ivec2(texel), 0).r;
    bool none = !is_finite(z) || z <= 0.0 || z == params.invalid;
    imageStore(depth, ivec2(texel), vec4(none ? 0.0 : z * params.scale));
    vec4 seen = vec4(1.0);
    if (has_source_color != 0u) seen = textureLod(source_color, (vec2(texel) + 0.5) / vec2(params.size), 0.0);
    imageStore(color, ivec2(texel), seen);
}

#version 460
// A step of the cells that need no halo: it runs while the halo travels.
#include "gray_scott_step.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D before;                        //! doc the part, with or without its halo
layout(rgba32f) writeonly uniform image2D after; //! doc without the cells at its border

uniform Params {
    float feed; //! range 0..0.1, default 0.037, doc rate at which the first substance comes in
    float kill; //! range 0..0.1, default 0.06, doc rate at which the second one goes
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(after);
    if (any(greaterThanEqual(texel, size))) return;
    vec4 value = vec4(0.0);
    if (!touches_halo(texel, size)) {
        vec2 around = vec2(0.0);
        for (int i = 0; i < 8; ++i)
            around += kWeights[i] * texelFetch(before, texel + kSteps[i], 0).xy;
        value.xy = reacted(texelFetch(before, texel, 0).xy, around, params.feed, params.kill);
    }
    imageStore(after, texel, value);
}

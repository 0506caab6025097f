#version 460
// Adds a sample to the mean: light, and in alpha what comes through.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    float share; // of one sample
} params;

layout(constant_id = 0) const uint kFirstSample = 0u; // 1: there is none before

uniform sampler2D nearest;
uniform sampler2D before;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 sum = kFirstSample != 0u ? vec4(0.0, 0.0, 0.0, 1.0) : texelFetch(before, texel, 0);
    vec4 color = texelFetch(nearest, texel, 0);
    imageStore(result, texel, sum + params.share * vec4(color.rgb * color.a, -color.a));
}

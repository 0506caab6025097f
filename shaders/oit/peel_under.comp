#version 460
// Puts a layer under those before it.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D layer;
uniform usampler2D triangles;
uniform sampler2D above; // light and what comes through, of the layers before
layout(constant_id = 0) const uint kFirstLayer = 0u;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 sum = kFirstLayer != 0u ? vec4(0.0, 0.0, 0.0, 1.0) : texelFetch(above, texel, 0);
    if (texelFetch(triangles, texel, 0).r != 0u) {
        vec4 color = texelFetch(layer, texel, 0);
        sum.rgb += sum.a * color.a * color.rgb;
        sum.a *= 1.0 - color.a;
    }
    imageStore(result, texel, sum);
}

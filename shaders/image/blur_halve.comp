#version 460
// Makes a picture smaller along one axis, by 2, 4, 8 or 16. Beyond its edge lies what the border
// says.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
layout(rgba32f) uniform writeonly image2D result;

uniform Params {
    int axis;
    int factor;
    int start; // of the window of texel 0 of the result, in texels of the source
    int taps;
    int border;
    vec4 weights[12]; // of the window
} params;

#include "border.glsl"
#include "modulo.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    int size = textureSize(source, 0)[params.axis];
    ivec2 from = texel;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < params.taps; ++i) {
        int at = params.start + texel[params.axis] * params.factor + i;
        // A mirror may lie further outside than load_with_border looks.
        if (params.border == kBorderMirror) at = mirrored(modulo(at, 2 * size), size);
        from[params.axis] = at;
        sum += params.weights[i >> 2][i & 3] * load_with_border(source, from, params.border);
    }
    imageStore(result, texel, sum);
}

#version 460
// Filters a picture along one axis by even weights.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
layout(rgba32f) uniform writeonly image2D result;

uniform Params {
    int axis;
    int radius; // 16 or less
    int border;
    vec4 weights[5]; // of the texel itself, of its neighbours, ...
} params;

#include "border.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 sum = params.weights[0].x * load_with_border(source, texel, params.border);
    for (int i = 1; i <= params.radius; ++i) {
        ivec2 away = ivec2(0);
        away[params.axis] = i;
        sum += params.weights[i >> 2][i & 3] *
               (load_with_border(source, texel - away, params.border) +
                load_with_border(source, texel + away, params.border));
    }
    imageStore(result, texel, sum);
}

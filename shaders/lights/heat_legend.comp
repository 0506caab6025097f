#version 460
// The colours of lights/heat from left to right, with a mark at each doubling.

layout(local_size_x = 16, local_size_y = 16) in;

#include "heat_color.glsl"

uniform writeonly image2D legend;

uniform Params {
    float most; // lights that are white
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(legend);
    if (any(greaterThanEqual(texel, size))) return;
    float whole = log2(1.0 + params.most);
    vec3 color = heat_color((float(texel.x) + 0.5) / float(size.x));
    for (float lights = 1.0; lights <= params.most; lights *= 2.0)
        if (int(log2(1.0 + lights) / whole * float(size.x)) == texel.x && texel.y < size.y / 2)
            color = vec3(0.0);
    imageStore(legend, texel, vec4(color, 1.0));
}

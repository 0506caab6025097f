#version 460
// How many fragments each pixel has, as colours.

layout(local_size_x = 16, local_size_y = 16) in;

#include "heat_color.glsl"

uniform Params {
    uvec2 size;
    float most; // that has a colour of its own
} params;

readonly buffer Lengths { uint values[]; } lengths;
writeonly uniform image2D result;

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, params.size))) return;
    float count = float(lengths.values[pixel.y * params.size.x + pixel.x]);
    imageStore(result, ivec2(pixel), vec4(heat_color(count / params.most), 1.0));
}

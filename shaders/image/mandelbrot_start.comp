#version 460
// First phase of the Mandelbrot set in passes: the orbits begin at c.

layout(local_size_x = 8, local_size_y = 8) in;

#include "mandelbrot_params.glsl"

uniform writeonly image2D orbit;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    imageStore(orbit, texel, vec4(number_of(texel), 0.0, 0.0));
}

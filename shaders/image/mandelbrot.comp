#version 460
// The Mandelbrot set by brute force: the whole loop in one kernel.

layout(local_size_x = 8, local_size_y = 8) in;

#include "mandelbrot_params.glsl"

uniform writeonly image2D orbit;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    vec2 c = number_of(texel);
    vec2 z = c;
    int count = 0;
    // Not as the condition of the loop: lavapipe of Mesa 22.3 then updates one component too many.
    while (count < params.iterations) {
        if (has_escaped(z)) break;
        z = next_of_orbit(z, c);
        ++count;
    }
    imageStore(orbit, texel, vec4(z, float(count), 0.0));
}

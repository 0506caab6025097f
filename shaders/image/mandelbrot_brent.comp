#version 460
// The Mandelbrot set with a search for cycles that keeps one number of the orbit, of the first step,
// then of the second, the fourth and so on: an orbit that comes close to it is taken to stay
// (R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980).

layout(local_size_x = 8, local_size_y = 8) in;

#include "mandelbrot_params.glsl"

uniform writeonly image2D orbit;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    vec2 c = number_of(texel);
    vec2 z = c;
    vec2 saved = z;
    int until_saved = 1;
    int count = 0;
    int found = 0; // the step at which the cycle was
    while (count < params.iterations && !has_escaped(z)) {
        z = next_of_orbit(z, c);
        ++count;
        if (are_close(z, saved)) {
            found = count;
            count = params.iterations;
        } else if (count == until_saved) {
            saved = z;
            until_saved *= 2;
        }
    }
    imageStore(orbit, texel, vec4(z, float(count), float(found)));
}

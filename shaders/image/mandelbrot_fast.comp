#version 460
// The Mandelbrot set with two shortcuts: numbers in the main cardioid and in the largest disc stay,
// by formula; and an orbit that comes back to a number to the bit repeats itself. Cycles are found
// by one saved number that moves on after 1, 2, 4, ... steps (R. P. Brent, "An improved Monte Carlo
// factorization algorithm", BIT 20, 1980).

layout(local_size_x = 8, local_size_y = 8) in;

#include "mandelbrot_params.glsl"

uniform writeonly image2D orbit;

bool known_to_stay(vec2 c) {
    float x = c.x - 0.25;
    float q = x * x + c.y * c.y;
    float from_disc = (c.x + 1.0) * (c.x + 1.0) + c.y * c.y;
    return q * (q + x) < 0.25 * c.y * c.y || from_disc < 0.0625;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    vec2 c = number_of(texel);
    vec2 z = c;
    int count = known_to_stay(c) ? params.iterations : 0;
    vec2 saved = z;
    int until_saved = 1;
    int found = 0; // the step at which the cycle was
    while (count < params.iterations && !has_escaped(z)) {
        z = next_of_orbit(z, c);
        ++count;
        if (z == saved) {
            found = count;
            count = params.iterations;
        } else if (count == until_saved) {
            saved = z;
            until_saved *= 2;
        }
    }
    imageStore(orbit, texel, vec4(z, float(count), float(found)));
}

#version 460
// The Mandelbrot set with the search for cycles of the lecture: the last numbers of the orbit are
// kept, and an orbit that comes back close to one of them is taken to stay. Slower than brute force
// on most views.

layout(local_size_x = 8, local_size_y = 8) in;

const int kKept = 8;

#include "mandelbrot_params.glsl"

uniform writeonly image2D orbit;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    vec2 c = number_of(texel);
    vec2 kept[kKept];
    for (int i = 0; i < kKept; ++i) kept[i] = vec2(4.0); // farther out than any orbit that stays
    vec2 z = c;
    int count = 0;
    int found = 0; // the step at which the cycle was
    while (count < params.iterations && !has_escaped(z)) {
        kept[count % kKept] = z;
        z = next_of_orbit(z, c);
        ++count;
        bool cycle = false;
        for (int i = 0; i < kKept; ++i) cycle = cycle || are_close(z, kept[i]);
        if (cycle) {
            found = count;
            count = params.iterations;
        }
    }
    imageStore(orbit, texel, vec4(z, float(count), float(found)));
}

// What the kernels of image/mandelbrot are told.
uniform Params {
    vec2 center;
    vec2 middle; // of the picture, in texels
    float spacing;
    int iterations; // at most, or of this pass
} params;

#include "mandelbrot.glsl"

// The number that a texel stands for.
vec2 number_of(ivec2 texel) {
    return number_of(texel, params.center, params.spacing, params.middle);
}

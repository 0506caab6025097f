#version 460
// Some more iterations of the orbits of the frame before. The last component tells the view they
// belong to; where it has changed they start again.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    vec2 center;
    vec2 middle; // of the picture, in texels
    float spacing;
    int iterations; // of all frames
    int steps;      // of this frame
    float view;     // differs from view to view, and is not 0
} params;

#include "mandelbrot.glsl"

uniform sampler2D before;
uniform writeonly image2D orbit;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    vec2 c = number_of(texel, params.center, params.spacing, params.middle);
    vec4 state = texelFetch(before, texel, 0);
    if (state.w != params.view) state = vec4(c, 0.0, params.view);
    for (int i = 0; i < params.steps; ++i) {
        if (int(state.z) >= params.iterations || has_escaped(state.xy)) break;
        state.xyz = vec3(next_of_orbit(state.xy, c), state.z + 1.0);
    }
    imageStore(orbit, texel, state);
}

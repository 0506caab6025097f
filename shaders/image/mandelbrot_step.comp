#version 460
// Second phase of the Mandelbrot set in passes: one iteration of every orbit that has not escaped.

layout(local_size_x = 8, local_size_y = 8) in;

#include "mandelbrot_params.glsl"

uniform sampler2D before;
uniform writeonly image2D orbit;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(orbit)))) return;
    vec4 state = texelFetch(before, texel, 0);
    if (!has_escaped(state.xy))
        state.xyz = vec3(next_of_orbit(state.xy, number_of(texel)), state.z + 1.0);
    imageStore(orbit, texel, state);
}

#version 460
// The second phase as it was made before compute shaders: the picture is drawn from the one before.

#include "mandelbrot_params.glsl"

uniform sampler2D before;

layout(location = 0) out vec4 orbit;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 state = texelFetch(before, texel, 0);
    if (!has_escaped(state.xy))
        state.xyz = vec3(next_of_orbit(state.xy, number_of(texel)), state.z + 1.0);
    orbit = state;
}

#version 460
// Third phase of the Mandelbrot set: colours by the number of iterations, from a table of 256.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D orbit;
uniform sampler2D palette; // 256 x 1, read with linear filtering
uniform writeonly image2D result;

uniform Params {
    vec4 inside;   // colour of what has not escaped
    int iterations;
    uint smooth_bands;  // 1: between whole iterations, by how far the orbit went
    float exponent; // of the share of the iterations: below 1, early bands take more of the palette
    float repeats; // of the palette
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 state = texelFetch(orbit, texel, 0);
    float count = state.z;
    // Orbits that are not finished have not escaped either.
    if (count >= float(params.iterations) || dot(state.xy, state.xy) <= 4.0) {
        imageStore(result, texel, params.inside);
        return;
    }
    // Between |z| = 2, where the band begins, and 4, where it would have ended an iteration before.
    if (params.smooth_bands != 0u)
        count = max(count + 1.0 - log2(max(0.5 * log2(dot(state.xy, state.xy)), 1.0)), 0.0);
    float share = pow(count / float(params.iterations), params.exponent) * params.repeats;
    // The palette goes there and back: no jump where it repeats.
    share = 1.0 - abs(1.0 - mod(share, 2.0));
    imageStore(result, texel, textureLod(palette, vec2((share * 255.0 + 0.5) / 256.0, 0.5), 0.0));
}

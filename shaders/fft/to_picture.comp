#version 460
// An array of real or complex numbers, or half a spectrum, as a picture of one channel.
//! variants NUMBERS=reals,complexes

layout(local_size_x = 16, local_size_y = 16) in;
#include "fft/complex.glsl"

#if NUMBERS_reals
readonly buffer Source { float values[]; } source;
#else
readonly buffer Source { vec2 values[]; } source;
#endif
uniform writeonly image2D result;

uniform Params {
    uint stored;   // numbers along x that there are; the others are conjugates of their opposites
    uint centered; // whether frequency 0 is in the middle
    uint show;     // as passes/fft/to_picture.hpp numbers it
    float scale;
} params;

const uint kReal = 0u;
const uint kImaginary = 1u;
const uint kMagnitude = 2u;
const uint kLogarithm = 3u;

vec2 number_at(uvec2 place, uvec2 size) {
#if NUMBERS_reals
    return vec2(source.values[place.y * params.stored + place.x], 0.0);
#else
    if (place.x < params.stored) return source.values[place.y * params.stored + place.x];
    uvec2 opposite = (size - place) % size;
    return conjugate(source.values[opposite.y * params.stored + opposite.x]);
#endif
}

float shown(vec2 number) {
    if (params.show == kReal) return number.x;
    if (params.show == kImaginary) return number.y;
    if (params.show == kMagnitude) return length(number);
    if (params.show == kLogarithm) return log2(1.0 + length(number));
    return all(equal(number, vec2(0.0))) ? 0.0 : atan(number.y, number.x);
}

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    uvec2 size = uvec2(imageSize(result));
    if (any(greaterThanEqual(texel, size))) return;
    // Half a size further, from -size / 2 on.
    uvec2 place = params.centered != 0u ? (texel + size - size / 2u) % size : texel;
    imageStore(result, ivec2(texel), vec4(params.scale * shown(number_at(place, size))));
}

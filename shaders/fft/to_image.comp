#version 460
// Arrays of real or complex numbers, or half spectra, as the channels of a picture or volume.
//! variants NUMBERS=reals,complexes SHAPE=picture,volume

#if SHAPE_volume
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform writeonly image3D result;
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform writeonly image2D result;
#endif
#include "fft/complex.glsl"

#if NUMBERS_reals
readonly buffer Source { float values[]; } source;
#else
readonly buffer Source { vec2 values[]; } source;
#endif

uniform Params {
    uvec4 size;
    uvec2 slice;   // along z, of pictures, and along w
    uint stored;   // numbers along x that there are; the others are conjugates of their opposites
    uint channels;
    uint first;    // the array of the first channel
    uint centered; // whether frequency 0 is in the middle
    uint show;     // as passes/fft/to_image.hpp numbers it
    float scale;
} params;

const uint kReal = 0u;
const uint kImaginary = 1u;
const uint kMagnitude = 2u;
const uint kLogarithm = 3u;

uint index_of(uint array, uvec4 place) {
    uvec4 size = params.size;
    uint row = ((array * size.w + place.w) * size.z + place.z) * size.y + place.y;
    return row * params.stored + place.x;
}

vec2 number_at(uint array, uvec4 place) {
#if NUMBERS_reals
    return vec2(source.values[index_of(array, place)], 0.0);
#else
    if (place.x < params.stored) return source.values[index_of(array, place)];
    uvec4 opposite = (params.size - place) % params.size;
    return conjugate(source.values[index_of(array, opposite)]);
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
    uvec3 texel = gl_GlobalInvocationID;
#if SHAPE_volume
    uvec4 place = uvec4(texel, params.slice.y);
    uvec3 sides = params.size.xyz;
#else
    uvec4 place = uvec4(texel.xy, params.slice);
    uvec3 sides = uvec3(params.size.xy, 1u);
#endif
    if (any(greaterThanEqual(texel, sides))) return;
    // Half a size further, from -size / 2 on.
    if (params.centered != 0u) place = (place + params.size - params.size / 2u) % params.size;
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    for (uint c = 0u; c < params.channels; ++c)
        color[c] = params.scale * shown(number_at(params.first + c, place));
#if SHAPE_volume
    imageStore(result, ivec3(texel), color);
#else
    imageStore(result, ivec2(texel.xy), color);
#endif
}

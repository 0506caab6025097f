#version 460
// A step down the middle and a disc that is darker than the bright side, with noise.
layout(local_size_x = 64) in;
#include "hash.glsl"
#include "invocation.glsl"

writeonly buffer Numbers { float values[]; } numbers;

uniform Params {
    uvec2 size;  //! doc numbers along x and y
    float noise; //! range 0..1, default 0.08, doc standard deviation
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.size.x * params.size.y) return;
    uvec2 place = uvec2(index % params.size.x, index / params.size.x);
    vec2 size = vec2(params.size);
    float value = place.x < params.size.x / 2u ? 0.2 : 0.8;
    if (length(vec2(place) - vec2(0.78, 0.32) * size) < 0.13 * size.y) value = 0.5;
    vec3 random = random_numbers(index, 1u, 0u);
    // Two uniform numbers make a normal one (Box and Muller, 1958).
    value += params.noise * sqrt(-2.0 * log(1.0 - random.x)) * cos(6.2831853 * random.y);
    numbers.values[index] = value;
}

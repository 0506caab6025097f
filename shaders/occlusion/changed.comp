#version 460
// Opacities of a volume as occlusion/packed_first has them, and which bricks have others than before. A change
// of what shells are made of changes all.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "opacities.glsl"
#include "packed.glsl"

uniform Params {
    ivec3 dims;
    int blocks;   // of a row
    ivec3 bricks;
    float growth;
    float strength;
} params;

uniform sampler3D opacity;
readonly buffer Before { uvec4 values[]; } before;
readonly buffer KeyBefore { uint values[]; } key_before; // growth and strength
writeonly buffer Key { uint values[]; } key;
writeonly buffer Result { uvec4 values[]; } result;
buffer Changed { uint values[]; } changed; // a word a brick, 0 beforehand

void main() {
    uint index = invocation_index();
    uvec2 own_key = floatBitsToUint(vec2(params.growth, params.strength));
    if (index == 0u) {
        key.values[0] = own_key.x;
        key.values[1] = own_key.y;
    }
    uint blocks = uint(params.blocks);
    uint row = index / blocks;
    ivec3 first = ivec3(index % blocks * kBlock, row % uint(params.dims.y),
                        row / uint(params.dims.y));
    if (first.z >= params.dims.z) return;
    uvec4 words;
    for (int k = 0; k < 4; ++k) {
        ivec3 texel = first + ivec3(2 * k, 0, 0);
        words[k] = packed_pair(opacity_at(opacity, params.dims, texel),
                               opacity_at(opacity, params.dims, texel + ivec3(1, 0, 0)));
    }
    result.values[index] = words;
    bool other = any(notEqual(own_key, uvec2(key_before.values[0], key_before.values[1])));
    if (other || any(notEqual(words, before.values[index])))
        atomicOr(changed.values[brick_number(first / kBrick, params.bricks)], 1u);
}

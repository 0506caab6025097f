#version 460
// Adds what this frame's rays have found to the mean of the frames before.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

uniform Params {
    ivec3 dims;
    uint frames;  // whose mean it is at most: beyond them the oldest fade
    uint restart; // another number than before begins again
} params;

uniform sampler3D found;
uniform usampler3D before; // the bits of a mean; frames, and 65536 times the number
writeonly uniform uimage3D state;
writeonly uniform image3D result;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.dims))) return;
    uvec2 past = texelFetch(before, texel, 0).rg;
    uint number = params.restart & 0xffffu;
    uint count = past.g >> 16u == number ? past.g & 0xffffu : 0u;
    count = min(count + 1u, params.frames);
    float now = texelFetch(found, texel, 0).r;
    float mean = count > 1u ? mix(uintBitsToFloat(past.r), now, 1.0 / float(count)) : now;
    imageStore(state, texel, uvec4(floatBitsToUint(mean), number << 16u | count, 0u, 0u));
    imageStore(result, texel, vec4(mean));
}

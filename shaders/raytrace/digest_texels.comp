#version 460
// Adds the texels of a picture's finest level to a digest, each by its place.

layout(local_size_x = 8, local_size_y = 8) in;

#include "digest.glsl"

uniform sampler2D picture;

uniform Params {
    uint part; // of the digest: its number
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    uvec2 own = uvec2(0u);
    if (all(lessThan(texel, textureSize(picture, 0)))) {
        uvec4 bits = floatBitsToUint(texelFetch(picture, texel, 0));
        uvec3 place = pcg3d(uvec3(texel, params.part));
        own = pcg3d(pcg3d(bits.xyz ^ place) ^ uvec3(bits.w, place.yz)).xy;
    }
    add_to_digest(own);
}

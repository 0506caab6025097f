#version 460
// Objects are at distance 0 from objects, the background from the background; the rest is unreached.

layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D seed;
uniform writeonly uimage2D field; // of one or two channels

uniform Params {
    uint unreached;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    bool object = texelFetch(seed, texel, 0).r != 0u;
    uvec2 value = object ? uvec2(0u, params.unreached) : uvec2(params.unreached, 0u);
    imageStore(field, texel, uvec4(value, 0u, 0u));
}

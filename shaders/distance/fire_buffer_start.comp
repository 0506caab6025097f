#version 460
// A field in a buffer: objects are at distance 0, the rest is unreached.

layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D seed;
writeonly buffer Field { uint values[]; } field; // row by row

uniform Params {
    uint unreached;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(seed, 0);
    if (any(greaterThanEqual(texel, size))) return;
    bool object = texelFetch(seed, texel, 0).r != 0u;
    field.values[uint(texel.y) * uint(size.x) + uint(texel.x)] = object ? 0u : params.unreached;
}

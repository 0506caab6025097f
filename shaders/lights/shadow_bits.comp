#version 460
// Sets the bit of one light in the pixels that it does not reach.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint has_before = 0u;

readonly buffer Hits { uint values[]; } hits; // 1 where there is something between
uniform usampler2D before;
uniform writeonly uimage2D hidden;

uniform Params {
    uint light;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(hidden);
    if (any(greaterThanEqual(texel, size))) return;
    uint bits = has_before != 0u ? texelFetch(before, texel, 0).x : 0u;
    if (hits.values[texel.y * size.x + texel.x] != 0u) bits |= 1u << params.light;
    imageStore(hidden, texel, uvec4(bits));
}

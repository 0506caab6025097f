#version 460
// Lays a masked picture onto another one at an offset.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D target;
uniform sampler2D source;
uniform sampler2D mask; // of the source's size; not read where has_mask is 0
uniform writeonly image2D result;

layout(constant_id = 0) const uint has_mask = 0u;

uniform Params {
    ivec2 offset; // of the source in the target
    int channel;  // of the mask
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    vec4 color = texelFetch(target, texel, 0);
    ivec2 at = texel - params.offset;
    if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, textureSize(source, 0)))) {
        float share = 1.0;
        if (has_mask != 0u) share = clamp(texelFetch(mask, at, 0)[params.channel], 0.0, 1.0);
        // Where one of the two has no share, not even its infinities count.
        vec4 over = texelFetch(source, at, 0);
        color = share == 1.0 ? over : share > 0.0 ? mix(color, over, share) : color;
    }
    imageStore(result, texel, color);
}

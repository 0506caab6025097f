#version 460
// Two images of whole numbers as the channels of one.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform usampler3D red;
uniform usampler3D green;
uniform writeonly uimage3D result;
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform usampler2D red;
uniform usampler2D green;
uniform writeonly uimage2D result;
#endif

void main() {
#if VOLUME
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#else
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    uint outside = texelFetch(red, texel, 0).r;
    uint inside = texelFetch(green, texel, 0).r;
    imageStore(result, texel, uvec4(outside, inside, 0u, 0u));
}

#version 460
// A seed whose objects are the background of another.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform usampler3D seed;
uniform writeonly uimage3D result;
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform usampler2D seed;
uniform writeonly uimage2D result;
#endif

void main() {
#if VOLUME
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#else
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, uvec4(texelFetch(seed, texel, 0).r == 0u ? 1u : 0u));
}

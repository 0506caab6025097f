#version 460
// Objects are their own sites; the others have none yet.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform usampler3D seed;
uniform writeonly uimage3D sites;
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform usampler2D seed;
uniform writeonly uimage2D sites;
#endif

#include "site.glsl"

void main() {
#if VOLUME
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#else
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (any(greaterThanEqual(texel, imageSize(sites)))) return;
    bool object = texelFetch(seed, texel, 0).r != 0u;
    imageStore(sites, texel, uvec4(object ? site_of(texel) : kNoSite));
}

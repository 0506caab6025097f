#version 460
// Squared distances to the sites that texels have found.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform usampler3D sites;
uniform writeonly uimage3D field;
#define Place ivec3
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform usampler2D sites;
uniform writeonly uimage2D field;
#define Place ivec2
#endif

#include "site.glsl"
#include "status.glsl"

uniform Params {
    uint passes; // that ran, for the status
} params;

void main() {
    Place texel = Place(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    imageStore(field, texel, uvec4(squared_to(texelFetch(sites, texel, 0).r, texel)));
    if (texel == Place(0)) status.passes = params.passes;
}

#version 460
// Squared distances to the sites that texels have found.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform usampler3D sites;
uniform writeonly uimage3D field;
uniform writeonly uimage3D near_sites;
#define Place ivec3
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform usampler2D sites;
uniform writeonly uimage2D field;
uniform writeonly uimage2D near_sites;
#define Place ivec2
#endif

#include "site.glsl"
#include "status.glsl"

uniform Params {
    uint passes; // that ran, for the status
    uint most;   // of a texel without a site; sites that are farther away are forgotten
} params;

void main() {
    Place texel = Place(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    uint site = texelFetch(sites, texel, 0).r;
    uint squared = squared_to(site, texel);
    imageStore(field, texel, uvec4(min(squared, params.most)));
    imageStore(near_sites, texel, uvec4(squared <= params.most ? site : kNoSite));
    if (texel == Place(0)) status.passes = params.passes;
}

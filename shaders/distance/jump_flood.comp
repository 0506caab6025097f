#version 460
// One step of jump flooding: each texel takes the nearest of its own site and those of the texels
// `jump` away along the axes and diagonals; of several as near the first in the order of rows.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform usampler3D before;
uniform writeonly uimage3D after;
const int kDeep = 1;
#define Place ivec3
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform usampler2D before;
uniform writeonly uimage2D after;
const int kDeep = 0;
#define Place ivec2
#endif

#include "site.glsl"

uniform Params {
    int jump;
} params;

void main() {
    Place texel = Place(gl_GlobalInvocationID);
    Place size = imageSize(after);
    if (any(greaterThanEqual(texel, size))) return;
    uint nearest = kNoSite;
    uint least = kUnreachedSite;
    for (int z = -kDeep; z <= kDeep; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                Place at = texel + params.jump * Place(ivec3(x, y, z));
                if (any(lessThan(at, Place(0))) || any(greaterThanEqual(at, size))) continue;
                uint site = texelFetch(before, at, 0).r;
                uint squared = squared_to(site, texel);
                if (squared < least || (squared == least && site < nearest)) {
                    nearest = site;
                    least = squared;
                }
            }
    imageStore(after, texel, uvec4(nearest));
}

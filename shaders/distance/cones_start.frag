#version 460
// Objects are their own sites, at depth 0; the others have none, at the depth of the far plane.
//! vertex distance/whole_field

#include "site.glsl"

uniform usampler2D seed;

layout(location = 0) out uvec4 site;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    bool object = texelFetch(seed, texel, 0).r != 0u;
    site = uvec4(object ? site_of(texel) : kNoSite);
    gl_FragDepth = object ? 0.0 : 1.0;
}

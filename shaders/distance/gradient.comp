#version 460
// The direction in which the signed distance grows: away from the nearest object, within objects
// towards the nearest background texel.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#else
layout(local_size_x = 16, local_size_y = 16) in;
#endif

#if VOLUME
uniform usampler3D to_object;
uniform usampler3D to_background;
uniform writeonly image3D gradient;
#define PLACE ivec3
#else
uniform usampler2D to_object; // where the nearest object is
uniform usampler2D to_background;
uniform writeonly image2D gradient;
#define PLACE ivec2
#endif

const uint kNoSite = 0xffffffffu; // as in passes/distance/exact.hpp

PLACE unpack(uint site) {
#if VOLUME
    return ivec3(uvec3(site, site >> 10, site >> 20) & 1023u);
#else
    return ivec2(uvec2(site, site >> 16) & 0xffffu);
#endif
}

void main() {
    PLACE texel = PLACE(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(gradient)))) return;
    uint object = texelFetch(to_object, texel, 0).x;
    uint background = texelFetch(to_background, texel, 0).x;
    vec4 direction = vec4(0.0);
    if (object != kNoSite && background != kNoSite) {
        // One of both is the texel itself.
        PLACE way = unpack(background) - unpack(object);
#if VOLUME
        direction.xyz = normalize(vec3(way));
#else
        direction.xy = normalize(vec2(way));
#endif
    }
    imageStore(gradient, texel, direction);
}

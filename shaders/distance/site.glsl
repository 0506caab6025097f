#ifndef DISTANCE_SITE
#define DISTANCE_SITE
// Where an object is, in a word: of pictures x | y << 16, of volumes x | y << 10 | z << 20. Their
// order is that of rows.

const uint kNoSite = 0xffffffffu;        // as in passes/distance/exact.hpp
const uint kUnreachedSite = 0x7fffffffu; // kUnreached32 in passes/distance/field.hpp

uint site_of(ivec2 texel) {
    return uint(texel.x) | uint(texel.y) << 16;
}
uint site_of(ivec3 texel) {
    return uint(texel.x) | uint(texel.y) << 10 | uint(texel.z) << 20;
}

// Squared distances; without a site more than any.
uint squared_to(uint site, ivec2 texel) {
    if (site == kNoSite) return kUnreachedSite;
    ivec2 way = ivec2(site & 0xffffu, site >> 16) - texel;
    return uint(way.x * way.x + way.y * way.y);
}
uint squared_to(uint site, ivec3 texel) {
    if (site == kNoSite) return kUnreachedSite;
    ivec3 way = ivec3(site & 1023u, site >> 10 & 1023u, site >> 20) - texel;
    return uint(way.x * way.x + way.y * way.y + way.z * way.z);
}

#endif

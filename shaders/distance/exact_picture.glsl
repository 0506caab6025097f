#ifndef DISTANCE_EXACT_PICTURE
#define DISTANCE_EXACT_PICTURE
// What texels of a picture get.

uniform writeonly uimage2D field;
uniform writeonly uimage2D site_places; // x | y << 16

const uint kNoSite = 0xffffffffu;

// The site of texel `at` is that of place s in its column, dx columns away from it.
void store_texel(ivec2 at, int s, int dx) {
    int dy = s - at.y;
    imageStore(field, at, uvec4(dx * dx + dy * dy, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(uint(at.x + dx) | uint(s) << 16, 0u, 0u, 0u));
}
void store_no_site(ivec2 at) {
    imageStore(field, at, uvec4(kUnreached, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(kNoSite, 0u, 0u, 0u));
}

#endif

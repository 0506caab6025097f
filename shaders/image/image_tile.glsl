// The texels a 16x16 group of a window filter reads, fetched once into shared memory. Before the
// include, define the constants radius_x and radius_y (at most 8: 32x32 texels are 16 KiB).
#include "border.glsl"

const int kGroupSize = 16;
const int kTileWidth = kGroupSize + 2 * radius_x;
const int kTileHeight = kGroupSize + 2 * radius_y;

shared vec4 tile[kTileWidth * kTileHeight];

// Fills the tile. All invocations of the group must call it; afterwards all may read.
void load_tile(sampler2D image, int border) {
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * kGroupSize - ivec2(radius_x, radius_y);
    int first = int(gl_LocalInvocationIndex);
    for (int i = first; i < kTileWidth * kTileHeight; i += kGroupSize * kGroupSize) {
        ivec2 offset = ivec2(i % kTileWidth, i / kTileWidth);
        tile[i] = load_with_border(image, corner + offset, border);
    }
    barrier();
}

// The texel (dx, dy) away from this invocation's own, |dx| <= radius_x and |dy| <= radius_y.
vec4 tile_texel(int dx, int dy) {
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    return tile[(local.y + radius_y + dy) * kTileWidth + local.x + radius_x + dx];
}

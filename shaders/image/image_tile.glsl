// The texels a 16x16 group of a window filter reads, fetched once into shared memory. Before the
// include, define the constants radius_x and radius_y (at most 8: 32x32 texels are 16 KiB).

// What filters read beyond the edge of an image. The values are those of passes/image/border.hpp.
const int kBorderClamp = 0;  // the nearest texel of the image
const int kBorderZero = 1;   // zero in all channels
const int kBorderMirror = 2; // reflected about the edge: -1 reads 0, -2 reads 1

// Index into [0, size) that stands for `i` under mirroring. `i` may lie further outside than the
// image is large, down to -64: images may be smaller than the window.
int mirrored(int i, int size) {
    int period = 2 * size;
    int phase = (i + 64 * size) % period; // 64 * size is a multiple of the period and at least -i
    return phase < size ? phase : period - 1 - phase;
}

vec4 load_with_border(sampler2D image, ivec2 texel, int border) {
    ivec2 size = textureSize(image, 0);
    ivec2 inside = border == kBorderMirror
                       ? ivec2(mirrored(texel.x, size.x), mirrored(texel.y, size.y))
                       : clamp(texel, ivec2(0), size - 1);
    vec4 value = texelFetch(image, inside, 0);
    return border == kBorderZero && inside != texel ? vec4(0.0) : value;
}

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

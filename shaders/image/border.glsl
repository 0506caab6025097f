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

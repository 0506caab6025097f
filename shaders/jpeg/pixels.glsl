// Pixels of the source as the numbers that are transformed.
#ifndef JPEG_PIXELS
#define JPEG_PIXELS
#include "color.glsl"

layout(constant_id = 4) const uint whole_values = 1u; // pixels are 255ths: rounded to them
layout(constant_id = 6) const uint has_color = 1u;    // the source
layout(constant_id = 7) const uint linear_light = 0u; // what sampling gives: the file has sRGB's curve
layout(constant_id = 8) const uint bounded = 1u;      // the source holds numbers from 0 to 1 alone
layout(constant_id = 11) const uint by_alpha = 0u; // colors are multiplied by it
layout(constant_id = 12) const uint whole_ycc = 0u; // luma and differences are whole numbers

uniform sampler2D source;

buffer Counts { // as in jpeg/extent.glsl
    uint not_finite; // pixels
    uint low_bits;
    uint high_bits;
    uint spare;
} counts;

// Beyond the edges comes the last pixel again.
vec3 texel_at(ivec2 at, ivec2 last) {
    vec4 texel = texelFetch(source, min(at, last), 0);
    vec3 color = has_color != 0u ? texel.rgb : texel.rrr;
    if (by_alpha == 0u) return color;
    precise vec3 multiplied = color * texel.a;
    return multiplied;
}

// Red, green and blue, 0 to 255. What is not finite is 0; `counts_it`: once a pixel.
vec3 shown(vec3 color, bool counts_it) {
    if (bounded == 0u) {
        bvec3 bad = equal(floatBitsToUint(color) & 0x7f800000u, uvec3(0x7f800000u));
        if (any(bad)) {
            if (counts_it) atomicAdd(counts.not_finite, 1u);
            color = mix(color, vec3(0.0), bad);
        }
        color = clamp(color, 0.0, 1.0);
    }
    if (linear_light != 0u) color = clamp(srgb_encode(color), 0.0, 1.0);
    precise vec3 scaled = color * 255.0;
    return whole_values != 0u ? floor(scaled + 0.5) : scaled;
}

// With 16 bits of fraction and the rounding of the Independent JPEG Group's library (jccolor.c).
vec3 whole_ycc_of(ivec3 rgb) {
    int luma = 19595 * rgb.r + 38470 * rgb.g + 7471 * rgb.b + 32768;
    int blue = -11059 * rgb.r - 21709 * rgb.g + 32768 * rgb.b + 32767;
    int red = 32768 * rgb.r - 27439 * rgb.g - 5329 * rgb.b + 32767;
    return vec3(luma >> 16, blue >> 16, red >> 16);
}

// Luma, 0 to 255, and the differences of blue and red to it, around 0 (BT.601, full range).
vec3 to_ycc(vec3 rgb) {
    if (has_color == 0u) return vec3(rgb.r, 0.0, 0.0);
    if (whole_ycc != 0u) return whole_ycc_of(ivec3(rgb));
    precise float luma = 0.299 * rgb.r + 0.587 * rgb.g + 0.114 * rgb.b;
    precise float blue = -0.168736 * rgb.r - 0.331264 * rgb.g + 0.5 * rgb.b;
    precise float red = 0.5 * rgb.r - 0.418688 * rgb.g - 0.081312 * rgb.b;
    return vec3(luma, blue, red);
}

// Of the color differences of `count` pixels, by their sum; `column`: of the mean. Whole numbers are
// rounded up and down in turn, as the library's are (jcsample.c).
float mean_of(float sum, uint count, bool is_wide, uint column) {
    precise float mean = sum * (1.0 / float(count));
    if (whole_ycc == 0u || count == 1u) return mean;
    uint half_up = count == 4u ? 1u + (column & 1u) : is_wide ? column & 1u : 1u;
    return floor((sum + float(half_up)) / float(count));
}
#endif

#version 460
// Brings the components to the picture's size and makes colors of them, in whole numbers.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    uvec4 row_words; // of each component
    uvec4 widths;    // samples that are of the picture
    uvec4 heights;
    uvec4 across; // pixels of a sample
    uvec4 down;
    uint colors; // DecodeColors
    uint smooth_upsampling;
} params;
readonly buffer Luma { uint words[]; } luma;
readonly buffer Blue { uint words[]; } blue;
readonly buffer Red { uint words[]; } red;
uniform writeonly image2D result;

int sample_of(uint component, ivec2 at) {
    uint x = uint(clamp(at.x, 0, int(params.widths[component]) - 1));
    uint y = uint(clamp(at.y, 0, int(params.heights[component]) - 1));
    uint word = y * params.row_words[component] + x / 4u;
    uint four = component == 0u   ? luma.words[word]
                : component == 1u ? blue.words[word]
                                  : red.words[word];
    return int(four >> (x % 4u * 8u) & 255u);
}

// The nearer sample counts three times. Rounding goes up and down in turn.
int upsampled(uint component, ivec2 pixel) {
    ivec2 ratio = ivec2(params.across[component], params.down[component]);
    ivec2 at = pixel / ratio;
    bool narrow = params.widths[component] <= 2u && ratio.x == 2;
    bool smooth_x = ratio.x == 2 && ratio.y <= 2;
    bool smooth_y = ratio.y == 2 && ratio.x <= 2;
    if (params.smooth_upsampling == 0u || narrow || !(smooth_x || smooth_y))
        return sample_of(component, at);

    ivec2 odd = pixel & 1;
    ivec2 aside = at + ivec2(2 * odd.x - 1, 0);
    ivec2 above = ivec2(0, 2 * odd.y - 1);
    if (!smooth_y)
        return 3 * sample_of(component, at) + sample_of(component, aside) + 1 + odd.x >> 2;
    int own = 3 * sample_of(component, at) + sample_of(component, at + above);
    if (!smooth_x) return own + 1 + odd.y >> 2;
    int other = 3 * sample_of(component, aside) + sample_of(component, aside + above);
    return 3 * own + other + 8 - odd.x >> 4;
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(result)))) return;
    ivec3 color = ivec3(upsampled(0u, pixel));
    if (params.colors != 0u) {
        color.y = upsampled(1u, pixel);
        color.z = upsampled(2u, pixel);
    }
    if (params.colors == 1u) {
        // ITU-R BT.601, full range, with 16 bits of fraction.
        int cb = color.y - 128;
        int cr = color.z - 128;
        color = color.x + ivec3(91881 * cr + 32768 >> 16, -22554 * cb - 46802 * cr + 32768 >> 16,
                                116130 * cb + 32768 >> 16);
    }
    imageStore(result, pixel, vec4(vec3(clamp(color, 0, 255)) / 255.0, 1.0));
}

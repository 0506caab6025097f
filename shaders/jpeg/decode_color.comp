#version 460
// Brings the components to the picture's size and makes colors of them, in whole numbers. An invocation
// makes four pixels of a row, and stores others, so that those of neighbors lie side by side.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 16, local_size_y = 16) in;

// Pixels of a sample of each component.
layout(constant_id = 0) const uint luma_across = 1u;
layout(constant_id = 1) const uint luma_down = 1u;
layout(constant_id = 2) const uint blue_across = 2u;
layout(constant_id = 3) const uint blue_down = 2u;
layout(constant_id = 4) const uint red_across = 2u;
layout(constant_id = 5) const uint red_down = 2u;
layout(constant_id = 6) const uint colors = 1u; // DecodeColors
layout(constant_id = 7) const uint smooth_upsampling = 1u;

uniform Params {
    uvec4 row_words; // of each component
    uvec4 widths;    // samples that are of the picture
    uvec4 heights;
} params;
readonly buffer Luma { uint words[]; } luma;
readonly buffer Blue { uint words[]; } blue;
readonly buffer Red { uint words[]; } red;
uniform writeonly image2D result;

const uint kTileWidth = 64u;
shared uint tile[kTileWidth * 16u]; // pixels of 8 bits a channel

uint word_of(uint component, int number) {
    return component == 0u   ? luma.words[number]
           : component == 1u ? blue.words[number]
                             : red.words[number];
}

// Four samples of a row from `first` on. Beyond the edges come the last ones again.
ivec4 samples_of(uint component, int first, int row) {
    ivec4 x = clamp(first + ivec4(0, 1, 2, 3), 0, int(params.widths[component]) - 1);
    row = clamp(row, 0, int(params.heights[component]) - 1);
    int begin = row * int(params.row_words[component]);
    ivec4 number = x >> 2;
    uint low = word_of(component, begin + number.x);
    uint high = word_of(component, begin + number.w);
    uvec4 words = mix(uvec4(low), uvec4(high), notEqual(number, number.xxxx));
    return ivec4(words >> uvec4(x & 3) * 8u & 255u);
}

// Of four pixels from `pixel` on, whose x is a multiple of 4; `ratio`: pixels of a sample. The nearer
// sample counts three times. Rounding goes up and down in turn.
ivec4 upsampled(uint component, ivec2 pixel, ivec2 ratio) {
    ivec2 at = pixel / ratio;
    bool narrow = params.widths[component] <= 2u && ratio.x == 2;
    bool smooth_x = ratio.x == 2 && ratio.y <= 2;
    bool smooth_y = ratio.y == 2 && ratio.x <= 2;
    if (smooth_upsampling == 0u || narrow || !(smooth_x || smooth_y)) {
        ivec4 samples = samples_of(component, at.x, at.y);
        ivec4 number = (pixel.x + ivec4(0, 1, 2, 3)) / ratio.x - at.x;
        return ivec4(samples.x, samples[number.y], samples[number.z], samples[number.w]);
    }
    ivec4 odd_x = ivec4(0, 1, 0, 1);
    int odd_y = pixel.y & 1;
    int first = smooth_x ? at.x - 1 : at.x;
    ivec4 own = samples_of(component, first, at.y);
    if (smooth_y) own = 3 * own + samples_of(component, first, at.y + 2 * odd_y - 1);
    if (!smooth_x) return own + 1 + odd_y >> 2;
    ivec4 blended = 3 * own.yyzz + own.xzyw;
    return smooth_y ? blended + 8 - odd_x >> 4 : blended + 1 + odd_x >> 2;
}

uint packed_color(ivec3 color) {
    if (colors == 1u) {
        // ITU-R BT.601, full range, with 16 bits of fraction.
        int cb = color.y - 128;
        int cr = color.z - 128;
        color = color.x + ivec3(91881 * cr + 32768 >> 16, -22554 * cb - 46802 * cr + 32768 >> 16,
                                116130 * cb + 32768 >> 16);
    }
    uvec3 bytes = uvec3(clamp(color, 0, 255));
    return bytes.x | bytes.y << 8 | bytes.z << 16;
}

void main() {
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(kTileWidth, 16);
    ivec2 pixel = first + ivec2(gl_LocalInvocationID.xy) * ivec2(4, 1);
    ivec4 x = upsampled(0u, pixel, ivec2(luma_across, luma_down));
    ivec4 y = x;
    ivec4 z = x;
    if (colors != 0u) {
        y = upsampled(1u, pixel, ivec2(blue_across, blue_down));
        z = upsampled(2u, pixel, ivec2(red_across, red_down));
    }
    uint lane = gl_LocalInvocationIndex;
    [[unroll]] for (uint i = 0u; i < 4u; ++i)
        tile[4u * lane + i] = packed_color(ivec3(x[i], y[i], z[i]));
    barrier();
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        uint number = 256u * i + lane;
        ivec2 at = first + ivec2(number % kTileWidth, number / kTileWidth);
        uint color = tile[number];
        vec3 bytes = vec3(color & 255u, color >> 8 & 255u, color >> 16);
        if (all(lessThan(at, imageSize(result)))) imageStore(result, at, vec4(bytes / 255.0, 1.0));
    }
}

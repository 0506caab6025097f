#version 460
// Pixels to the quantised coefficients of their blocks, in the order of the file. A group takes twelve
// blocks, which are whole units (MCU) whatever the sampling: it reads each pixel once.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 96) in;
layout(constant_id = 4) const uint whole_values = 1u; // pixels are 255ths: rounded to them
layout(constant_id = 5) const uint by_matrix = 0u;
layout(constant_id = 6) const uint has_color = 1u; // the source
layout(constant_id = 7) const uint decoded = 0u;   // the source is encoded as sRGB, which sampling decodes

uniform sampler2D source;

uniform Params {
    uint units;        // in all
    uint units_across; // in a row
} params;

readonly buffer Quantiser { float factors[128]; } quantiser; // by place: of luma, then of chroma

writeonly buffer Coefficients { uint pairs[]; } coefficients; // 32 to a block: two of 16 bits to a word
writeonly buffer Masks { uvec2 words[]; } masks;              // which coefficients but the first are not 0
buffer Counts { uint not_finite; } counts;

#include "color.glsl"
#include "dct.glsl"
#include "shape.glsl"
#include "zigzag.glsl"
#include "invocation.glsl"

const uint kBlocks = 12u;
const uint kUnits = kBlocks / kUnitBlocks;
const uint kRow = 9u; // floats: of eight the columns' values would lie in the same bank of shared memory
const uint kStride = 8u * kRow;

shared float values[kBlocks * kStride];
shared uint shared_masks[2u * kBlocks];

uint value_at(uint block, uint row, uint column) {
    return block * kStride + row * kRow + column;
}

// Red, green and blue, 0 to 255. What is not finite is 0. Beyond the edges comes the last pixel again.
vec3 pixel(ivec2 at) {
    ivec2 last = textureSize(source, 0) - 1;
    vec3 color = texelFetch(source, min(at, last), 0).rgb;
    if (has_color == 0u) color = color.rrr;
    bvec3 bad = equal(floatBitsToUint(color) & 0x7f800000u, uvec3(0x7f800000u));
    if (any(bad)) {
        if (all(lessThanEqual(at, last))) atomicAdd(counts.not_finite, 1u);
        color = mix(color, vec3(0.0), bad);
    }
    if (decoded != 0u) color = srgb_encode(color);
    precise vec3 scaled = clamp(color, 0.0, 1.0) * 255.0;
    return whole_values != 0u ? floor(scaled + 0.5) : scaled;
}

// Luma, 0 to 255, and the differences of blue and red to it, around 0 (BT.601, full range).
vec3 to_ycc(vec3 rgb) {
    precise float luma = 0.299 * rgb.r + 0.587 * rgb.g + 0.114 * rgb.b;
    precise float blue = -0.168736 * rgb.r - 0.331264 * rgb.g + 0.5 * rgb.b;
    precise float red = 0.5 * rgb.r - 0.418688 * rgb.g - 0.081312 * rgb.b;
    return vec3(luma, blue, red);
}

// The pixels that share a value of chroma: value `own` of the unit that is number `unit` of the group.
void fetch(uint unit, uint own, uint group) {
    uint number = min(group * kUnits + unit, params.units - 1u);
    uvec2 corner = 8u * uvec2(across, down) * uvec2(number % params.units_across, number / params.units_across);
    uvec2 first = uvec2(across, down) * uvec2(own % 8u, own / 8u);
    precise vec2 chroma = vec2(0.0);
    [[unroll]] for (uint y = 0u; y < down; ++y) [[unroll]] for (uint x = 0u; x < across; ++x) {
        uvec2 at = first + uvec2(x, y);
        vec3 rgb = pixel(ivec2(corner + at));
        vec3 ycc = has_color != 0u ? to_ycc(rgb) : vec3(rgb.r, 0.0, 0.0);
        uint block = unit * kUnitBlocks + at.y / 8u * across + at.x / 8u;
        values[value_at(block, at.y % 8u, at.x % 8u)] = ycc.x - 128.0;
        chroma = chroma + ycc.yz;
    }
    if (components == 1u) return;
    chroma = chroma * (1.0 / float(across * down));
    uint block = unit * kUnitBlocks + kLumaBlocks;
    values[value_at(block, own / 8u, own % 8u)] = chroma.x;
    values[value_at(block + 1u, own / 8u, own % 8u)] = chroma.y;
}

void transform(uint first, uint step) {
    float v[8];
    [[unroll]] for (uint i = 0u; i < 8u; ++i) v[i] = values[first + i * step];
    if (by_matrix != 0u) transform_by_matrix(v);
    else transform_fast(v);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) values[first + i * step] = v[i];
}

// To the nearest whole number, halves away from 0; no more than there are codes for.
int quantise(float value, float factor, int most) {
    precise float scaled = abs(value) * factor;
    int size = min(int(floor(scaled + 0.5)), most);
    return value < 0.0 ? -size : size;
}

void main() {
    uint group = group_index();
    uint own = gl_LocalInvocationIndex;
    if (group * kUnits >= params.units) return;
    if (own < 2u * kBlocks) shared_masks[own] = 0u;
    for (uint i = own; i < 64u * kUnits; i += gl_WorkGroupSize.x) fetch(i / 64u, i % 64u, group);
    barrier();
    uint block = own / 8u;
    uint line = own % 8u;
    transform(value_at(block, line, 0u), 1u);
    barrier();
    transform(value_at(block, 0u, line), kRow);
    barrier();

    uint first_block = group * kUnits * kUnitBlocks;
    uint end = params.units * kUnitBlocks;
    for (uint i = own; i < kBlocks * 32u; i += gl_WorkGroupSize.x) {
        uint of = i / 32u;
        uint number = 2u * (i % 32u);
        uint table = is_chroma(of) ? 64u : 0u;
        ivec2 pair;
        [[unroll]] for (uint j = 0u; j < 2u; ++j) {
            uint place = place_of(number + j);
            pair[j] = quantise(values[value_at(of, place / 8u, place % 8u)], quantiser.factors[table + place],
                               place == 0u ? 2047 : 1023);
        }
        uint bits = (pair.x != 0 && number != 0u ? 1u : 0u) | (pair.y != 0 ? 2u : 0u);
        if (bits != 0u) atomicOr(shared_masks[2u * of + number / 32u], bits << (number % 32u));
        if (first_block + of < end)
            coefficients.pairs[(first_block + of) * 32u + i % 32u] = uint(pair.x) & 0xffffu | uint(pair.y) << 16;
    }
    barrier();
    if (own < kBlocks && first_block + own < end)
        masks.words[first_block + own] = uvec2(shared_masks[2u * own], shared_masks[2u * own + 1u]);
}

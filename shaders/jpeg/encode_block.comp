#version 460
// The codes of a block of one component but for those of its first coefficient, whole in a slot of its own:
// a group takes a block, an invocation a coefficient. ("Real-Time JPEG Compression Using DirectCompute",
// GPU Pro 4; run lengths by compaction, strings put together after Balevic.)
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 5) const uint by_matrix = 1u;
layout(constant_id = 9) const uint component = 0u; // 1: blue, 2: red

uniform Params {
    uint blocks_across; // in a row of the component
    uint blocks;        // in all
} params;

readonly buffer Quantiser { float factors[128]; } quantiser; // by place: of luma, then of chroma
// Of each block: the first coefficient, how many bits there are, and the bits: words whose lowest byte comes
// first in the file.
writeonly buffer Slots { uint words[]; } slots;

#include "codes.glsl"
#include "dct.glsl"
#include "pixels.glsl"
#include "quantise.glsl"
#include "shape.glsl"
#include "zigzag.glsl"
#include "invocation.glsl"

const uint kSlot = 54u;       // words, as in passes/jpeg/stitch.hpp
const uint kMaxWords = 52u;  // 63 coefficients of 26 bits
const uint kMaxStrings = 6u; // three of sixteen zeros, a symbol, the value, the end

shared float values[64];
shared float products[64];
shared uint sums[2][64];
shared int kept_values[64];
shared uint kept_numbers[65]; // of kept coefficients; before the first one is number 0
shared uint words[kMaxWords];

// Of the component. It is the mean of the pixels that share it.
float sample_at(uvec2 at) {
    ivec2 last = textureSize(source, 0) - 1;
    if (component == 0u) return to_ycc(shown(texel_at(ivec2(at), last), all(lessThanEqual(ivec2(at), last)))).x - 128.0;
    precise float sum = 0.0;
    for (uint part = 0u; part < kLumaBlocks; ++part) {
        ivec2 pixel = ivec2(at * uvec2(across, down) + uvec2(part % across, part / across));
        sum = sum + to_ycc(shown(texel_at(pixel, last), false))[component];
    }
    return mean_of(sum, kLumaBlocks, across == 2u, at.x);
}

// A row or a column of the matrix product with the transform's basis.
float product(uint first, uint step, uint k, bool of_products) {
    precise float sum = 0.0;
    for (uint j = 0u; j < 8u; ++j) {
        float value = of_products ? products[first + j * step] : values[first + j * step];
        sum = sum + basis(k, j) * value;
    }
    return sum;
}

// As a matrix product each invocation has a coefficient; of the factorisation eight have a line each.
void transform(uint own) {
    if (by_matrix != 0u) {
        products[own] = product(own / 8u * 8u, 1u, own % 8u, false);
        barrier();
        values[own] = product(own % 8u, 8u, own / 8u, true);
        barrier();
        return;
    }
    for (uint turn = 0u; turn < 2u; ++turn) {
        if (own < 8u) {
            uint first = turn == 0u ? 8u * own : own;
            uint step = turn == 0u ? 1u : 8u;
            float v[8];
            [[unroll]] for (uint i = 0u; i < 8u; ++i) v[i] = values[first + i * step];
            transform_fast(v);
            [[unroll]] for (uint i = 0u; i < 8u; ++i) values[first + i * step] = v[i];
        }
        barrier();
    }
}

// The sum of what all before have. All must call it; `sum_of_all` is then theirs.
uint sum_of_all;
uint exclusive_sum(uint own, uint value) {
    uint from = 0u;
    sums[0][own] = value;
    barrier();
    for (uint step = 1u; step < 64u; step *= 2u) {
        uint sum = sums[from][own] + (own >= step ? sums[from][own - step] : 0u);
        from = 1u - from;
        sums[from][own] = sum;
        barrier();
    }
    uint result = sums[from][own] - value;
    sum_of_all = sums[from][63];
    barrier();
    return result;
}

// Strings of bits, each of length << 16 | bits.
struct Strings {
    uint count;
    uint each[kMaxStrings];
};
void append(inout Strings strings, uint string) {
    strings.each[strings.count] = string;
    strings.count += 1u;
}
// What an invocation writes of `kept` coefficients that are not 0: its own, and the end behind the last.
Strings strings_of(uint own, uint kept) {
    uint table = ac_table(component != 0u);
    Strings strings;
    strings.count = 0u;
    if (own < kept) {
        uint zeros = kept_numbers[own + 1u] - kept_numbers[own] - 1u;
        for (; zeros >= 16u; zeros -= 16u) append(strings, codes.words[table + kSixteenZeros]);
        int value = kept_values[own];
        uint size = category(value);
        append(strings, codes.words[table + (zeros << 4 | size)]);
        append(strings, size << 16 | amplitude(value, size));
    }
    bool is_last = own + 1u == max(kept, 1u);
    if (is_last && (kept == 0u || kept_numbers[kept] != 63u)) append(strings, codes.words[table + kEndOfBlock]);
    return strings;
}

void put(uint bits, uint length, uint position) {
    uint word = position / 32u;
    uint room = 32u - position % 32u;
    if (length <= room) {
        atomicOr(words[word], bits << (room - length));
        return;
    }
    atomicOr(words[word], bits >> (length - room));
    atomicOr(words[word + 1u], bits << (32u - (length - room)));
}

uint byte_swapped(uint word) {
    return word << 24 | (word & 0xff00u) << 8 | word >> 8 & 0xff00u | word >> 24;
}

void main() {
    uint block = group_index();
    if (block >= params.blocks) return;
    uint own = gl_LocalInvocationIndex;
    if (own < kMaxWords) words[own] = 0u;
    if (own == 0u) kept_numbers[0] = 0u;
    values[own] = sample_at(8u * uvec2(block % params.blocks_across, block / params.blocks_across) +
                            uvec2(own % 8u, own / 8u));
    barrier();
    transform(own);

    uint place = place_of(own);
    uint factor = place + (component == 0u ? 0u : 64u);
    int value = quantise(values[place], quantiser.factors[factor], own == 0u ? kMaxDc : kMaxAc);
    bool keeps = own != 0u && value != 0;
    uint index = exclusive_sum(own, keeps ? 1u : 0u);
    uint kept = sum_of_all;
    if (keeps) {
        kept_values[index] = value;
        kept_numbers[index + 1u] = own;
    }
    barrier();

    Strings strings = strings_of(own, kept);
    uint bits = 0u;
    for (uint i = 0u; i < strings.count; ++i) bits += strings.each[i] >> 16;
    uint position = exclusive_sum(own, bits);
    uint all_bits = sum_of_all;
    for (uint i = 0u; i < strings.count; ++i) {
        put(strings.each[i] & 0xffffu, strings.each[i] >> 16, position);
        position += strings.each[i] >> 16;
    }
    barrier();
    uint slot = block * kSlot;
    if (own < kMaxWords) slots.words[slot + 2u + own] = byte_swapped(words[own]);
    if (own == 0u) {
        slots.words[slot] = uint(value);
        slots.words[slot + 1u] = all_bits;
    }
}

#version 460
// Pixels to the quantised coefficients of their blocks, in the order of the file. A group takes twelve
// blocks, which are whole units (MCU) whatever the sampling: it reads each pixel once.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 96) in;
layout(constant_id = 5) const uint by_matrix = 0u;
layout(constant_id = 9) const uint measures = 1u; // the codes are known, and how long they are is found, too
layout(constant_id = 10) const uint by_ballots = 0u; // subgroups have 32 invocations

uniform Params {
    uint units;        // in all
    uint units_across; // in a row
    uint cleared;      // words of the stream that are to be 0
} params;

readonly buffer Quantiser { float factors[128]; } quantiser; // by place: of luma, then of chroma

// As jpeg/block_codes.glsl reads them.
writeonly buffer Coefficients { uint pairs[]; } coefficients;
writeonly buffer Masks { uvec2 words[]; } masks;
writeonly buffer Heads { uint words[]; } heads;
writeonly buffer Stream { uint words[]; } stream;

#include "codes.glsl"

#include "dct.glsl"
#include "pixels.glsl"
#include "quantise.glsl"
#include "shape.glsl"
#include "zigzag.glsl"
#include "invocation.glsl"

const uint kBlocks = 12u;
const uint kUnits = kBlocks / kUnitBlocks;
const uint kRow = 9u; // floats: of eight the columns' values would lie in the same bank of shared memory
const uint kStride = 8u * kRow;
const uint kValues = 64u * kUnits; // of chroma, or of luma alone
const uint kLoads = (kValues + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
const uint kMaxTexels = 8u; // of an invocation: kLoads * kLumaBlocks at most
const uint kRounds = kBlocks * 32u / gl_WorkGroupSize.x;

shared float values[kBlocks * kStride];
shared uint shared_masks[2u * kBlocks];
shared uint shared_bits[kBlocks];
shared int shared_firsts[kBlocks];

uint value_at(uint block, uint row, uint column) {
    return block * kStride + row * kRow + column;
}

// Where the pixels of the group's unit begin. Beyond the last unit it is the last one's place.
ivec2 corner_of(uint number) {
    number = min(number, params.units - 1u);
    uvec2 unit = uvec2(number % params.units_across, number / params.units_across);
    return ivec2(8u * uvec2(across, down) * unit);
}

// Pixel `part` of those that share value `value` of a unit's chroma.
uvec2 pixel_of(uint value, uint part) {
    return uvec2(across, down) * uvec2(value % 8u, value / 8u) + uvec2(part % across, part / across);
}

// All texels are on their way before the first is looked at.
void fetch(uint group) {
    uint own = gl_LocalInvocationIndex;
    ivec2 last = textureSize(source, 0) - 1;
    vec3 texels[kMaxTexels];
    ivec2 corners[kMaxTexels];
    [[unroll]] for (uint load = 0u; load < kMaxTexels; ++load) {
        if (load >= kLoads) break;
        uint i = min(own + load * gl_WorkGroupSize.x, kValues - 1u);
        corners[load] = corner_of(group * kUnits + i / 64u);
        [[unroll]] for (uint part = 0u; part < 4u; ++part)
            if (part < kLumaBlocks)
                texels[load * kLumaBlocks + part] =
                    texel_at(corners[load] + ivec2(pixel_of(i % 64u, part)), last);
    }
    [[unroll]] for (uint load = 0u; load < kMaxTexels; ++load) {
        uint i = own + load * gl_WorkGroupSize.x;
        if (load >= kLoads || i >= kValues) break;
        bool here = group * kUnits + i / 64u < params.units;
        uint block = i / 64u * kUnitBlocks;
        precise vec2 chroma = vec2(0.0);
        [[unroll]] for (uint part = 0u; part < 4u; ++part) {
            if (part >= kLumaBlocks) break;
            uvec2 at = pixel_of(i % 64u, part);
            bool inside = here && all(lessThanEqual(corners[load] + ivec2(at), last));
            vec3 ycc = to_ycc(shown(texels[load * kLumaBlocks + part], inside));
            values[value_at(block + at.y / 8u * across + at.x / 8u, at.y % 8u, at.x % 8u)] = ycc.x - 128.0;
            chroma = chroma + ycc.yz;
        }
        if (components == 1u) continue;
        block += kLumaBlocks;
        values[value_at(block, i % 64u / 8u, i % 8u)] = mean_of(chroma.x, kLumaBlocks, across == 2u, i);
        values[value_at(block + 1u, i % 64u / 8u, i % 8u)] = mean_of(chroma.y, kLumaBlocks, across == 2u, i);
    }
}

void transform(uint first, uint step) {
    float v[8];
    [[unroll]] for (uint i = 0u; i < 8u; ++i) v[i] = values[first + i * step];
    if (by_matrix != 0u) transform_by_matrix(v);
    else transform_fast(v);
    [[unroll]] for (uint i = 0u; i < 8u; ++i) values[first + i * step] = v[i];
}

// Bits of the code of a coefficient but the first, with the zeros before it.
uint code_bits(uint table, uint number, int value, uvec2 mask) {
    if (value == 0) return 0u;
    uint zeros = number - nonzero_before(number, mask) - 1u;
    uint size = category(value);
    return (zeros >> 4) * code_length(table, kSixteenZeros) + code_length(table, (zeros & 15u) << 4 | size) + size;
}

// Coefficients `lane` and `lane` + 32 of a block.
ivec2 quantised(uint block, uint lane) {
    uvec2 places = uvec2(place_of(lane), place_of(lane + 32u));
    uvec2 factors = places + (is_chroma(block) ? 64u : 0u);
    return ivec2(quantise(values[value_at(block, places.x / 8u, places.x % 8u)], quantiser.factors[factors.x],
                          lane == 0u ? kMaxDc : kMaxAc),
                 quantise(values[value_at(block, places.y / 8u, places.y % 8u)], quantiser.factors[factors.y],
                          kMaxAc));
}

// Nobody has to make subgroups whole. Where all are, there are as few as can be.
bool has_whole_subgroups() {
    return by_ballots != 0u && gl_NumSubgroups * 32u == gl_WorkGroupSize.x;
}
// Numbers 0 to 95 of which each whole subgroup has 32, in the order of its ballots' bits.
uint number_of_pair() {
    return has_whole_subgroups() ? gl_SubgroupID * 32u + gl_SubgroupInvocationID : gl_LocalInvocationIndex;
}

// Which of the block's coefficients but the first are not 0. A whole subgroup has the block's 32 pairs.
void mark(uint block, uint lane, ivec2 pair) {
    bvec2 set = bvec2(pair.x != 0 && lane != 0u, pair.y != 0);
    if (has_whole_subgroups()) {
        uint low = subgroupBallot(set.x).x;
        uint high = subgroupBallot(set.y).x;
        if (lane == 0u) {
            shared_masks[2u * block] = low;
            shared_masks[2u * block + 1u] = high;
        }
        return;
    }
    if (set.x) atomicOr(shared_masks[2u * block], 1u << lane);
    if (set.y) atomicOr(shared_masks[2u * block + 1u], 1u << lane);
}

// Bits of the codes of all but the first.
void measure(uint block, uint lane, ivec2 pair) {
    uvec2 mask = uvec2(shared_masks[2u * block], shared_masks[2u * block + 1u]);
    uint table = ac_table(is_chroma(block));
    uint bits = code_bits(table, lane + 32u, pair.y, mask);
    if (lane != 0u) bits += code_bits(table, lane, pair.x, mask);
    else if (mask.y >> 31 == 0u) bits += code_length(table, kEndOfBlock);
    if (has_whole_subgroups()) {
        bits = subgroupAdd(bits);
        if (lane == 0u) shared_bits[block] = bits;
    } else if (bits != 0u) {
        atomicAdd(shared_bits[block], bits);
    }
}

// The group's share of the words in which codes will be put together.
void clear_stream(uint group) {
    uint groups = (params.units + kUnits - 1u) / kUnits;
    uint share = (params.cleared + groups - 1u) / groups;
    uint end = min((group + 1u) * share, params.cleared);
    for (uint i = group * share + gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x) stream.words[i] = 0u;
}

void main() {
    uint group = group_index();
    uint own = gl_LocalInvocationIndex;
    if (group * kUnits >= params.units) return;
    if (own < 2u * kBlocks) shared_masks[own] = 0u;
    if (own < kBlocks) shared_bits[own] = 0u;
    fetch(group);
    clear_stream(group);
    barrier();
    uint line = own % 8u;
    transform(value_at(own / 8u, line, 0u), 1u);
    barrier();
    transform(value_at(own / 8u, 0u, line), kRow);
    barrier();

    uint pair = number_of_pair();
    uint lane = pair % 32u;
    ivec2 pairs[kRounds];
    [[unroll]] for (uint round = 0u; round < kRounds; ++round) {
        uint block = pair / 32u + round * (kBlocks / kRounds);
        pairs[round] = quantised(block, lane);
        mark(block, lane, pairs[round]);
    }
    barrier();
    uint first_block = group * kUnits * kUnitBlocks;
    uint end = params.units * kUnitBlocks;
    [[unroll]] for (uint round = 0u; round < kRounds; ++round) {
        uint block = pair / 32u + round * (kBlocks / kRounds);
        if (measures != 0u) measure(block, lane, pairs[round]);
        if (first_block + block < end)
            coefficients.pairs[(first_block + block) * 32u + lane] = uint(pairs[round].x) & 0xffffu | uint(pairs[round].y) << 16;
        if (lane == 0u) shared_firsts[block] = pairs[round].x;
    }
    barrier();
    if (own < kBlocks && first_block + own < end) {
        masks.words[first_block + own] = uvec2(shared_masks[2u * own], shared_masks[2u * own + 1u]);
        heads.words[first_block + own] = uint(shared_firsts[own]) & 0xffffu | shared_bits[own] << 16;
    }
}

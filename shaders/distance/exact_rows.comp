#version 460
// Finds for each texel of a seed the nearest column of its row that holds an object, the left one of
// two at the same distance. A group takes a row: its texels become bits in shared memory, where the
// neighbours of any place are found in a few steps, however empty the row is.
//! variants VOLUME=0,1
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256) in;

#include "exact_line.glsl"
#include "status.glsl"

#if VOLUME
uniform usampler3D seed;
#else
uniform usampler2D seed;
#endif
// Offsets of four columns in two words, kNowhere where the row is empty.
writeonly buffer Columns { uvec2 quads[]; } columns;

uniform Params {
    ivec3 size;
    uint background; // 1: the texels that are 0 are the objects
} params;

const int kGroup = 256;
const int kMaxWords = 512;       // 16,384 columns
const int kBlocks = kMaxWords / 32;
const int kFetches = 4;          // at a time
const int kBeyond = 1 << 20;     // a column farther away than any

shared uint bits[kMaxWords];   // a bit for each column
shared uint blocks[kBlocks];   // a bit for each word: not zero
shared int lasts[kMaxWords];   // the last object before the word, -kBeyond where there is none
shared int firsts[kMaxWords];  // the first one behind it, kBeyond where there is none
shared uint objects;           // of the row

bool is_object(int x) {
    if (x >= params.size.x) return false;
#if VOLUME
    uint texel = texelFetch(seed, ivec3(x, gl_WorkGroupID.xy), 0).x;
#else
    uint texel = texelFetch(seed, ivec2(x, gl_WorkGroupID.x), 0).x;
#endif
    return (texel == 0u) == (params.background == 1u);
}

// A subgroup packs what its lanes have found. The loops are the same for the whole group.
void pack_row() {
    int lane = int(gl_SubgroupInvocationID);
    int own = int(gl_SubgroupID * gl_SubgroupSize) + lane;
    int chunk = min(int(gl_SubgroupSize), 32);
    for (int first = 0; first < params.size.x; first += kGroup * kFetches) {
        bool found[kFetches];
        for (int i = 0; i < kFetches; ++i)
            found[i] = is_object(first + i * kGroup + own);
        for (int i = 0; i < kFetches; ++i) {
            int x = first + i * kGroup + own;
            uvec4 votes = subgroupBallot(found[i]);
            uint part = votes[lane >> 5] >> (lane & 31);
            if (lane % chunk == 0 && part != 0u) atomicOr(bits[x >> 5], part << (x & 31));
        }
    }
}

int word_count() {
    return (params.size.x + 31) / 32;
}
void mark_blocks() {
    uint count = 0u;
    for (int first = 0; first < word_count(); first += kGroup) { // the same for the whole group
        int word = first + int(gl_LocalInvocationIndex);
        uint row = word < word_count() ? bits[word] : 0u;
        count += uint(bitCount(row));
        if (row != 0u) atomicOr(blocks[word >> 5], 1u << (word & 31));
    }
    count = subgroupAdd(count);
    if (subgroupElect() && count != 0u) atomicAdd(objects, count);
}

int last_before(int word) {
    int block = word >> 5;
    uint words = blocks[block] & bits_below(word);
    while (words == 0u && block > 0) {
        block -= 1;
        words = blocks[block];
    }
    if (words == 0u) return -kBeyond;
    int found = last_of(block, words);
    return last_of(found, bits[found]);
}
int first_behind(int word) {
    int block = word >> 5;
    uint words = blocks[block] & bits_above(word);
    while (words == 0u && (block + 1) * 32 < word_count()) {
        block += 1;
        words = blocks[block];
    }
    if (words == 0u) return kBeyond;
    int found = first_of(block, words);
    return first_of(found, bits[found]);
}

// The offsets of four columns from x on, a multiple of four.
ivec4 nearest_objects(int x) {
    int word = x >> 5;
    uint row = bits[word];
    uint own = row >> (x & 31);
    uint before = row & bits_below(x);
    uint behind = row & (0xfffffff0u << (x & 31));
    ivec4 left, right;
    int last = before != 0u ? last_of(word, before) : lasts[word];
    int next = behind != 0u ? first_of(word, behind) : firsts[word];
    for (int i = 0; i < 4; ++i) {
        if ((own >> i & 1u) != 0u) last = x + i;
        left[i] = x + i - last;
    }
    for (int i = 3; i >= 0; --i) {
        if ((own >> i & 1u) != 0u) next = x + i;
        right[i] = next - (x + i);
    }
    return mix(right, -left, lessThanEqual(left, right));
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    for (int word = own; word < word_count(); word += kGroup)
        bits[word] = 0u;
    if (own < kBlocks) blocks[own] = 0u;
    if (own == 0) objects = 0u;
    barrier();
    pack_row();
    barrier();
    mark_blocks();
    barrier();
    for (int word = own; word < word_count(); word += kGroup) {
        lasts[word] = last_before(word);
        firsts[word] = first_behind(word);
    }
    barrier();

    int pitch = words_of_row(params.size.x) / 2;
    uint row = gl_WorkGroupID.y * uint(params.size.y) + gl_WorkGroupID.x;
    for (int quad = own; quad < pitch; quad += kGroup) {
        uvec4 offsets = uvec4(nearest_objects(4 * quad)) & 0xffffu;
        uvec2 pairs = objects == 0u ? uvec2(kNowhere | kNowhere << 16)
                                    : offsets.xz | offsets.yw << 16;
        columns.quads[row * uint(pitch) + uint(quad)] = pairs;
    }
    if (own != 0) return;
    if (objects != 0u) atomicAdd(status.objects, objects);
    if (objects != uint(params.size.x)) atomicAdd(status.background, uint(params.size.x) - objects);
}

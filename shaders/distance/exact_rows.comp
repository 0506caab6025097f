#version 460
// Finds for each texel of a seed the nearest column of its row that holds an object, the left one of
// two at the same distance. A group takes two rows: their texels become bits in shared memory, where
// the neighbours of any place are found in a few steps, however empty a row is.
//! variants VOLUME=0,1
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256) in;
layout(constant_id = 0) const int kWords = 512; // of 32 columns, in a row

#include "exact_line.glsl"

#if VOLUME
uniform usampler3D seed;
#else
uniform usampler2D seed;
#endif
// Offsets of eight columns in four words, kNowhere where the row is empty.
writeonly buffer Columns { uvec4 eights[]; } columns;
writeonly buffer Objects { uint counts[]; } objects; // by group
#if !VOLUME
writeonly buffer Marks { uint words[]; } marks; // see exact_line.glsl
#endif

uniform Params {
    ivec3 size;
    uint background; // 1: the texels that are 0 are the objects
} params;

const int kGroup = 256;
const int kRows = 2; // of a group
const int kBlocks = (kWords + 31) / 32;
// Short rows need fewer steps: what is found in two looks needs not be stored for others.
const bool kOneBlock = kBlocks == 1;
const int kBeyond = 1 << 20; // a column farther away than any

// By row, then by word.
shared uint bits[kRows * kWords];   // a bit for each column
shared uint blocks[kRows * kBlocks]; // a bit for each word: not zero
shared int lasts[kRows * kWords];   // the last object before the word, -kBeyond where there is none
shared int firsts[kRows * kWords];  // the first one behind it, kBeyond where there is none
shared uint counted[kRows]; // objects

int first_row() {
    return int(gl_WorkGroupID.x) * kRows;
}

// Bits of eight columns of two rows, from x and y on, which are even.
uvec2 objects_of(int x, int y) {
    uvec2 found = uvec2(0u);
    for (int i = 0; i < 8; i += 2) {
        ivec2 at = ivec2(x + i, y);
#if VOLUME
        ivec2 last = params.size.xy - 1;
        int z = int(gl_WorkGroupID.y);
        uvec4 square; // as textureGather orders them
        square.w = texelFetch(seed, ivec3(min(at, last), z), 0).x;
        square.z = texelFetch(seed, ivec3(min(at + ivec2(1, 0), last), z), 0).x;
        square.x = texelFetch(seed, ivec3(min(at + ivec2(0, 1), last), z), 0).x;
        square.y = texelFetch(seed, ivec3(min(at + 1, last), z), 0).x;
#else
        uvec4 square = textureGather(seed, vec2(at + 1) / vec2(params.size.xy));
#endif
        uvec4 object = uvec4(equal(equal(square, uvec4(0u)), bvec4(params.background == 1u)));
        found |= (object.wx | object.zy << 1) << i;
    }
    return found;
}

// What an invocation has found in two rows.
struct Found {
    uvec2 objects;
    uvec2 words; // a bit for each of the first 32: not zero
};
Found pack_rows() {
    Found sum = Found(uvec2(0u), uvec2(0u));
    for (int item = int(gl_LocalInvocationIndex); item < kWords * 4; item += kGroup) {
        int x = item * 8;
        int word = x >> 5;
        if (x >= params.size.x) continue;
        uvec2 found = objects_of(x, first_row());
        if (x + 8 > params.size.x) found &= (1u << (params.size.x - x)) - 1u;
        for (int row = 0; row < kRows; ++row) {
            if (found[row] == 0u) continue;
            atomicOr(bits[row * kWords + word], found[row] << (x & 31));
            sum.words[row] |= 1u << (word & 31);
        }
        sum.objects += uvec2(bitCount(found));
    }
    return sum;
}

// Behind a barrier, where the invocations of a subgroup are together.
void sum_up(Found sum) {
    sum.objects = subgroupAdd(sum.objects);
    if (kOneBlock) sum.words = subgroupOr(sum.words);
    if (!subgroupElect()) return;
    for (int row = 0; row < kRows; ++row) {
        if (sum.objects[row] != 0u) atomicAdd(counted[row], sum.objects[row]);
        if (kOneBlock && sum.words[row] != 0u) atomicOr(blocks[row], sum.words[row]);
    }
}

void mark_blocks() {
    for (int item = int(gl_LocalInvocationIndex); item < kRows * kWords; item += kGroup)
        if (bits[item] != 0u)
            atomicOr(blocks[item / kWords * kBlocks + (item % kWords >> 5)],
                     1u << (item % kWords & 31));
}

int last_before(int row, int word) {
    int block = word >> 5;
    uint words = blocks[row * kBlocks + block] & bits_below(word);
    while (words == 0u && block > 0) {
        block -= 1;
        words = blocks[row * kBlocks + block];
    }
    if (words == 0u) return -kBeyond;
    int found = last_of(block, words);
    return last_of(found, bits[row * kWords + found]);
}
int first_behind(int row, int word) {
    int block = word >> 5;
    uint words = blocks[row * kBlocks + block] & bits_above(word);
    while (words == 0u && block + 1 < kBlocks) {
        block += 1;
        words = blocks[row * kBlocks + block];
    }
    if (words == 0u) return kBeyond;
    int found = first_of(block, words);
    return first_of(found, bits[row * kWords + found]);
}

int last_before_word(int row, int word) {
    return kOneBlock ? last_before(row, word) : lasts[row * kWords + word];
}
int first_behind_word(int row, int word) {
    return kOneBlock ? first_behind(row, word) : firsts[row * kWords + word];
}

// The offsets of eight columns from x on, a multiple of eight.
uvec4 nearest_objects(int row, int x) {
    int word = x >> 5;
    int at = row * kWords + word;
    uint own = bits[at] >> (x & 31);
    uint before = bits[at] & bits_below(x);
    uint behind = bits[at] & (0xffffff00u << (x & 31));
    // Counted from x.
    int last = before != 0u ? last_of(word, before) : last_before_word(row, word);
    int next = behind != 0u ? first_of(word, behind) : first_behind_word(row, word);
    last -= x;
    next -= x;
    int right[8];
    [[unroll]] for (int i = 7; i >= 0; --i) {
        if ((own >> i & 1u) != 0u) next = i;
        right[i] = next - i;
    }
    uint offsets[8];
    [[unroll]] for (int i = 0; i < 8; ++i) {
        if ((own >> i & 1u) != 0u) last = i;
        int left = i - last;
        offsets[i] = uint(left <= right[i] ? -left : right[i]) & 0xffffu;
    }
    return uvec4(offsets[0] | offsets[1] << 16, offsets[2] | offsets[3] << 16,
                 offsets[4] | offsets[5] << 16, offsets[6] | offsets[7] << 16);
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    for (int item = own; item < kRows * kWords; item += kGroup)
        bits[item] = 0u;
    if (own < kRows * kBlocks) blocks[own] = 0u;
    if (own < kRows) counted[own] = 0u;
    barrier();
    Found sum = pack_rows();
    barrier();
    sum_up(sum);
    if (!kOneBlock) mark_blocks();
    barrier();
#if !VOLUME
    if (own < kBlocks)
        marks.words[place_of_mark(own, int(gl_WorkGroupID.x), params.size.y)] =
            blocks[own] | blocks[kBlocks + own];
#endif
    if (!kOneBlock) {
        for (int item = own; item < kRows * kWords; item += kGroup) {
            lasts[item] = last_before(item / kWords, item % kWords);
            firsts[item] = first_behind(item / kWords, item % kWords);
        }
        barrier();
    }

    int eights = words_of_row(params.size.x) / 4;
    uint first = gl_WorkGroupID.y * uint(params.size.y) + uint(first_row());
    int rows = min(kRows, params.size.y - first_row());
    for (int item = own; item < eights * rows; item += kGroup) {
        int row = item < eights ? 0 : 1;
        int eight = item - row * eights;
        columns.eights[(first + uint(row)) * uint(eights) + uint(eight)] =
            counted[row] == 0u ? uvec4(kNowhere | kNowhere << 16) : nearest_objects(row, 8 * eight);
    }
    if (own == 0)
        objects.counts[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] =
            counted[0] + (rows > 1 ? counted[1] : 0u);
}

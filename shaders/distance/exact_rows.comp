#version 460
// Finds for each texel of a seed the nearest column of its row that holds an object, the left one of
// two at the same distance. A group takes a row: its texels become bits in shared memory, where the
// neighbours of any place are found in a few steps, however empty the row is.
//! variants VOLUME=0,1
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require

layout(local_size_x = 256) in;

#include "status.glsl"

#if VOLUME
uniform usampler3D seed;
#else
uniform usampler2D seed;
#endif
// Two columns of 16 bits in a word, kNoColumn where the row is empty; rows begin with a word.
writeonly buffer Columns { uint pairs[]; } columns;

uniform Params {
    ivec3 size;
    uint background; // 1: the texels that are 0 are the objects
} params;

const int kGroup = 256;
const int kMaxWords = 512;       // 16,384 columns
const int kBlocks = kMaxWords / 32;
const uint kNoColumn = 0xffffu;

shared uint bits[kMaxWords];   // a bit for each column
shared uint blocks[kBlocks];   // a bit for each word: not zero
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

// A subgroup packs what its lanes have found. The loop is the same for the whole group.
void pack_row() {
    int lane = int(gl_SubgroupInvocationID);
    int own = int(gl_SubgroupID * gl_SubgroupSize) + lane;
    int chunk = min(int(gl_SubgroupSize), 32);
    for (int first = 0; first < params.size.x; first += kGroup) {
        int x = first + own;
        uvec4 votes = subgroupBallot(is_object(x));
        uint part = votes[lane >> 5] >> (lane & 31);
        if (lane % chunk == 0 && part != 0u) atomicOr(bits[x >> 5], part << (x & 31));
    }
}

// The last object's column up to x; -1 where there is none.
int column_before(int x) {
    int word = x >> 5;
    uint found = bits[word] & (0xffffffffu >> (31 - (x & 31)));
    int block = word >> 5;
    uint words = blocks[block] & ((1u << (word & 31)) - 1u);
    if (found != 0u) return word * 32 + findMSB(found);
    while (words == 0u && block > 0) {
        block -= 1;
        words = blocks[block];
    }
    if (words == 0u) return -1;
    word = block * 32 + findMSB(words);
    return word * 32 + findMSB(bits[word]);
}

// The first object's column from x on; -1 where there is none.
int column_after(int x) {
    int word = x >> 5;
    uint found = bits[word] & (0xffffffffu << (x & 31));
    int block = word >> 5;
    uint words = blocks[block] & ~(0xffffffffu >> (31 - (word & 31)));
    if (found != 0u) return word * 32 + findLSB(found);
    while (words == 0u && block < kBlocks - 1) {
        block += 1;
        words = blocks[block];
    }
    if (words == 0u) return -1;
    word = block * 32 + findLSB(words);
    return word * 32 + findLSB(bits[word]);
}

uint nearest_column(int x) {
    int before = column_before(x);
    int after = column_after(x);
    if (before < 0) return after < 0 ? kNoColumn : uint(after);
    return after < 0 || x - before <= after - x ? uint(before) : uint(after);
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    for (int i = own; i < kMaxWords; i += kGroup)
        bits[i] = 0u;
    if (own < kBlocks) blocks[own] = 0u;
    if (own == 0) objects = 0u;
    barrier();
    pack_row();
    barrier();
    for (int i = own; i < kMaxWords; i += kGroup)
        if (bits[i] != 0u) {
            atomicOr(blocks[i >> 5], 1u << (i & 31));
            atomicAdd(objects, uint(bitCount(bits[i])));
        }
    barrier();

    int pitch = (params.size.x + 1) / 2;
    uint row = gl_WorkGroupID.y * uint(params.size.y) + gl_WorkGroupID.x;
    for (int pair = own; pair < pitch; pair += kGroup) {
        uint first = nearest_column(2 * pair);
        uint second = nearest_column(min(2 * pair + 1, params.size.x - 1));
        columns.pairs[row * uint(pitch) + uint(pair)] = first | second << 16;
    }
    if (own != 0) return;
    if (objects != 0u) atomicAdd(status.objects, objects);
    if (objects != uint(params.size.x)) atomicAdd(status.background, uint(params.size.x) - objects);
}

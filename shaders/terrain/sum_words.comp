#version 460
// Counts the set bits of a field, and sums them up over 1,024 words: the lower levels of the tree of
// sums.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sums.glsl"

uniform Params {
    uint depth;     // of the tree: 2^depth bits
    uint root_bits; // depth of the squares
    uint faces;
} params;

readonly buffer Bits { uint words[]; } bits;
writeonly buffer Sums { uint words[]; } sums;


const uint kWords = 1024u;
const uint kTileLevels = 15u; // 2^15 bits
shared uint counts[kWords];
shared uint total;

void main() {
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    uint group = group_index();
    uint lane = gl_LocalInvocationIndex;
    uint all = 1u << (params.depth - 5u);
    if (group * kWords >= all) return;
    uint count = min(kWords, all - group * kWords);
    if (lane == 0u) total = 0u;
    barrier();
    uint own = 0u;
    for (uint i = lane; i < kWords; i += gl_WorkGroupSize.x) {
        uint word = group * kWords + i;
        uint set = i < count ? uint(bitCount(bits.words[word] | root_bit(word, shape))) : 0u;
        counts[i] = set;
        own += set;
    }
    if (own > 0u) atomicAdd(total, own);
    barrier();
    if (total <= 1u && count == kWords) {
        // Nobody looks below a node of one leaf, or at one that has none.
        uint top = params.depth - kTileLevels;
        if (lane == 0u) sums.words[sums_begin(params.depth, top) + group] = total;
        return;
    }
    uint begin = 0u;
    uint first = group * kWords; // node of the level
    for (uint depth = params.depth - 5u;; --depth) {
        // Whole words, of the entries that lie in each.
        uint width = sum_bits(params.depth - depth);
        uint each = 32u / width;
        for (uint i = lane; i < (count + each - 1u) / each; i += gl_WorkGroupSize.x) {
            uint word = 0u;
            for (uint k = 0u; k < each; ++k) word |= counts[i * each + k] << (k * width);
            sums.words[begin + first / each + i] = word;
        }
        if (count == 1u) break;
        begin += sum_words(params.depth, depth);
        count >>= 1u;
        first >>= 1u;
        barrier();
        uint sum[2];
        for (uint k = 0u; k < 2u; ++k) {
            uint i = lane + k * gl_WorkGroupSize.x;
            sum[k] = i < count ? counts[2u * i] + counts[2u * i + 1u] : 0u;
        }
        barrier();
        for (uint k = 0u; k < 2u; ++k) {
            uint i = lane + k * gl_WorkGroupSize.x;
            counts[i] = sum[k];
        }
        barrier();
    }
}

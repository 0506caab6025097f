// Reading the fragments of a pixel. C++: `bind_lists` of passes/geometry/fragment_lists.hpp.
#include "blend.glsl"
#include "fragment.glsl"

#ifndef LIST_ACCESS // whoever changes lists defines it as nothing
#define LIST_ACCESS readonly
#endif

LIST_ACCESS buffer Heads { uint values[]; } heads;
LIST_ACCESS buffer Fragments { uint words[]; } fragments;

struct Cursor {
    uint node;
    uint end;
};

// `capacity`: fragments that there is room for.
Cursor first_fragment(uint pixel, uint capacity) {
    if (kLayout == kLinked) return Cursor(heads.values[pixel], kNoNode);
    uvec2 list = whole_list(heads.values[pixel], heads.values[pixel + 1u], capacity);
    return Cursor(list.x, list.y);
}

bool is_at_end(Cursor cursor) {
    return cursor.node == cursor.end;
}

void advance(inout Cursor cursor) {
    if (kLayout == kArrays) {
        ++cursor.node;
        return;
    }
    if (kPayload != kTight) {
        cursor.node = fragments.words[cursor.node * kStride + kWords];
        return;
    }
    uint next = fragments.words[cursor.node * kStride + 1u] >> 8u;
    cursor.node = next == kNoTightNode ? kNoNode : next;
}

uvec4 words_of(uint node) {
    uint at = node * kStride;
    return uvec4(fragments.words[at], fragments.words[at + 1u],
                 kWords > 2u ? fragments.words[at + 2u] : 0u,
                 kWords > 3u ? fragments.words[at + 3u] : 0u);
}

Fragment fragment_of(uint node) {
    return unpacked(words_of(node));
}

// What fragments are sorted by first: depth, and what stands beside it.
uint depth_key(uint node) {
    uint at = node * kStride;
    if (kPayload == kTight) return fragments.words[at] >> 16u;
    uint place = fragments.words[at + (kPayload == kHdr ? 2u : 1u)];
    return kPayload == kCompact && kSamples > 1u ? place >> 10u : place >> 2u;
}

// The triangle of a fragment; only of packings that store it.
uint triangle_of(uint node) {
    uint at = node * kStride;
    return fragments.words[at + (kPayload == kHdr ? 3u : 2u)] >> 8u;
}

// What decides between equal depths: the triangle, or where it is not stored the colour. Fragments
// that agree in this too are alike, and their order does not matter.
uvec2 tie_key(uint node) {
    uvec4 words = words_of(node);
    if (kPayload == kStandard) return uvec2(words.z, words.x);
    if (kPayload == kHdr) return uvec2(words.w, words.x);
    return uvec2(words.x, kPayload == kTight ? words.y & 0xffu : words.y);
}

// Whether fragment a, whose depth_key is `depth_a`, comes before b, seen from the front. The number
// of the node comes last: no two fragments are equal.
bool is_before(uint depth_a, uint a, uint depth_b, uint b) {
    if (depth_a != depth_b) return depth_a < depth_b;
    uvec2 tie_a = tie_key(a);
    uvec2 tie_b = tie_key(b);
    if (tie_a.x != tie_b.x) return tie_a.x < tie_b.x;
    if (tie_a.y != tie_b.y) return tie_a.y < tie_b.y;
    return a < b;
}

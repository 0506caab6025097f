#version 460
// Sorts the fragments of each texel by distance, then medium, then what they reflect: whatever the
// order they came in, the list is the same.

layout(local_size_x = 64) in;

#include "fragment_lists.glsl"
#include "invocation.glsl"

uniform Params {
    uint pixels;
    uint fragment_room;
} params;

readonly buffer Heads { uint values[]; } heads;
buffer Fragments { uint words[]; } fragments;

const uint kShort = 24u; // fragments that fit into an invocation's own memory
uvec3 own[kShort];

// Positive floats are in the order of their bits.
bool before(uvec3 a, uvec3 b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

uvec3 load(uint at) {
    at *= kFaceWords;
    return uvec3(fragments.words[at], fragments.words[at + 1u], fragments.words[at + 2u]);
}

void store(uint at, uvec3 value) {
    at *= kFaceWords;
    fragments.words[at] = value.x;
    fragments.words[at + 1u] = value.y;
    fragments.words[at + 2u] = value.z;
}

void sort_short(uint first, uint count) {
    for (uint k = 0u; k < count; ++k) {
        uvec3 next = load(first + k);
        uint i = k;
        for (; i > 0u && before(next, own[i - 1u]); --i)
            own[i] = own[i - 1u];
        own[i] = next;
    }
    for (uint k = 0u; k < count; ++k)
        store(first + k, own[k]);
}

// The element `value` sinks from `root` of a heap of `count` elements.
void sink(uint first, uint root, uint count, uvec3 value) {
    for (;;) {
        uint child = 2u * root + 1u;
        if (child >= count) break;
        uvec3 larger = load(first + child);
        if (child + 1u < count) {
            uvec3 other = load(first + child + 1u);
            if (before(larger, other)) {
                larger = other;
                ++child;
            }
        }
        if (!before(value, larger)) break;
        store(first + root, larger);
        root = child;
    }
    store(first + root, value);
}

void sort_long(uint first, uint count) {
    for (uint root = count / 2u; root > 0u; --root)
        sink(first, root - 1u, count, load(first + root - 1u));
    for (uint end = count - 1u; end > 0u; --end) {
        uvec3 last = load(first + end);
        store(first + end, load(first));
        sink(first, 0u, end, last);
    }
}

void main() {
    uint pixel = invocation_index();
    if (pixel >= params.pixels) return;
    uvec2 list = whole_list(heads.values[pixel], heads.values[pixel + 1u], params.fragment_room);
    uint count = list.y - list.x;
    if (count < 2u) return;
    if (count <= kShort)
        sort_short(list.x, count);
    else
        sort_long(list.x, count);
}

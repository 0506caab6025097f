#version 460
// Counts the leaves that cover each pixel's middle in the map of a tree, and adds up their numbers. A
// group draws a leaf.
//! variants KEY_WORDS=1,2

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "key.glsl"

readonly buffer Keys { TreeKey values[]; } keys;
readonly buffer Status { uint count; } status;
buffer Cover { uvec2 pixels[]; } cover; // leaves; sum of their numbers

uniform Params {
    uint size; // pixels of a side
    uint capacity;
    uint face;
} params;

void main() {
    uint leaf = group_index();
    if (leaf >= min(status.count, params.capacity)) return;
    Node node = node_of(keys.values[leaf]);
    if (node.face != params.face) return;
    // The middle of pixel i is at i * unit + unit / 2.
    uint unit = 0x80000000u / params.size;
    uvec2 low = node.cell << (31u - node.level);
    uvec2 high = low + (1u << (31u - node.level));
    uvec2 first = min((low + (unit - 1u - unit / 2u)) / unit, uvec2(params.size));
    uvec2 end = min((high + (unit - 1u - unit / 2u)) / unit, uvec2(params.size));
    uvec2 extent = end - first;
    for (uint i = gl_LocalInvocationIndex; i < extent.x * extent.y; i += 64u) {
        uvec2 pixel = first + uvec2(i % extent.x, i / extent.x);
        uint at = pixel.y * params.size + pixel.x;
        atomicAdd(cover.pixels[at].x, 1u);
        atomicAdd(cover.pixels[at].y, leaf);
    }
}

#version 460
// Sorts the list of each pixel where it lies, by linking its nodes again, and blends it: insertion
// sort in memory. What the chapter tried and gave up (Thibieroz, GPU Pro 2): only the benchmark uses
// it. Not for tight fragments, whose links lie elsewhere.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uvec2 size;    // of the picture
    uint capacity; // fragments that there is room for
} params;

#define LIST_ACCESS
#include "lists.glsl"

uniform sampler2D background;
writeonly uniform image2D result;

uint next_of(uint node) {
    return fragments.words[node * kStride + kWords];
}
void link(uint node, uint next) {
    fragments.words[node * kStride + kWords] = next;
}

// The nearest node; the others follow by depth.
uint sorted(uint head) {
    uint nearest = kNoNode;
    for (uint node = head; node != kNoNode;) {
        uint rest = next_of(node);
        uint depth = depth_key(node);
        uint before = kNoNode;
        uint after = nearest;
        while (after != kNoNode && is_before(depth_key(after), after, depth, node)) {
            before = after;
            after = next_of(after);
        }
        link(node, after);
        if (before == kNoNode) nearest = node;
        else link(before, node);
        node = rest;
    }
    return nearest;
}

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, params.size))) return;
    uint pixel = texel.y * params.size.x + texel.x;
    uint nearest = sorted(heads.values[pixel]);
    heads.values[pixel] = nearest;
    Under under = nothing_yet();
    for (uint node = nearest; node != kNoNode; node = next_of(node)) {
        Fragment f = fragment_of(node);
        blend_under(under, f.color, f.mode);
    }
    imageStore(result, ivec2(texel), put_under(under, texelFetch(background, ivec2(texel), 0)));
}

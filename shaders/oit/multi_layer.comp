#version 460
// Blends the fragments of each pixel as they come, in the order of their triangles, into a few
// layers; where these are full the two farthest become one (Salvi and Vaidyanathan, I3D 2014).

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uvec2 origin;  // of the rectangle with fragments, in pixels
    uvec2 size;    // of the rectangle
    uint capacity; // fragments that there is room for
} params;

#include "select.glsl"

layout(constant_id = 14) const uint kLayers = 4u;
const uint kMaxLayers = 8u;

uniform sampler2D background;
uniform writeonly image2D result;

struct Layer {
    uint depth; // depth_key of its nearest fragment
    Under under;
};

// From front to back. What is not there yet hides nothing and is farther than any fragment.
Layer layers[kMaxLayers];

void insert(Layer layer) {
    bool placed = false; // those behind it move back by one, equal depths among them too
    for (uint i = 0u; i < kLayers; ++i) {
        // Of equal depths the first stays in front.
        if (!placed && layer.depth >= layers[i].depth) continue;
        placed = true;
        Layer behind = layers[i];
        layers[i] = layer;
        layer = behind;
    }
    layers[kLayers - 1u].under = joined(layers[kLayers - 1u].under, layer.under);
}

void main() {
    uvec2 place = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(place, params.size))) return;
    for (uint i = 0u; i < kLayers; ++i) layers[i] = Layer(0xffffffffu, nothing_yet());
    uint last = kNoNode;
    Round round;
    do {
        round = select_after(place.y * params.size.x + place.x, params.capacity, last, kAsDrawn);
        for (uint i = 0u; i < round.count; ++i) {
            uint node = kept_node[column(i)];
            Fragment f = fragment_of(node);
            Under under = nothing_yet();
            blend_under(under, f.color, f.mode);
            insert(Layer(depth_key(node), under));
        }
        if (round.more) last = kept_node[column(kKeep - 1u)];
    } while (round.more);
    Under all = nothing_yet();
    for (uint i = 0u; i < kLayers; ++i) all = joined(all, layers[i].under);
    ivec2 texel = ivec2(place + params.origin);
    imageStore(result, texel, put_under(all, texelFetch(background, texel, 0)));
}

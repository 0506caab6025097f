#version 460
// Blends the fragments of each pixel over all samples of a picture at once, and averages these.

#include "resolve_tiles.glsl"

const uint kMaxSamples = 8u;

uniform sampler2DMS background;
uniform sampler2DMS opaque_depth;
layout(constant_id = 18) const uint kAverage = 0u; // kPlain, kByLuminance
layout(constant_id = 19) const uint kDepthTest = 1u; // of fragments that stand for several samples

const uint kPlain = 0u;
const uint kByLuminance = 1u;

// Weights that keep one bright sample from outshining the others of its pixel.
float weight_of(vec4 color) {
    if (kAverage == kPlain) return 1.0;
    return 1.0 / (1.0 + dot(max(color.rgb, 0.0), vec3(0.2126, 0.7152, 0.0722)));
}

void main() {
    uvec2 pixel;
    if (!next_pixel(pixel)) return;
    ivec2 texel = ivec2(pixel + params.origin);
    vec4 colors[kMaxSamples];
    float depths[kMaxSamples];
    for (uint s = 0u; s < kSamples; ++s) {
        colors[s] = texelFetch(background, texel, int(s));
        depths[s] = as_stored(texelFetch(opaque_depth, texel, int(s)).r);
    }
    uint at = pixel_index(pixel);
    uint last = kNoNode;
    Round round;
    bool nearest = kLong == kNearest;
    do {
        round = select_after(at, params.capacity, last, nearest ? kFromFront : kFromBack);
        for (uint i = 0u; i < round.count; ++i) {
            uint place = nearest ? round.count - 1u - i : i;
            Fragment f = fragment_of(kept_node[column(place)]);
            for (uint s = 0u; s < kSamples; ++s) {
                bool hidden = kDepthTest != 0u && f.depth >= depths[s];
                if ((f.samples & (1u << s)) != 0u && !hidden)
                    colors[s] = blend_over(colors[s], f.color, f.mode);
            }
        }
        if (round.more) last = kept_node[column(kKeep - 1u)];
    } while (round.more && !nearest);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (uint s = 0u; s < kSamples; ++s) {
        float weight = weight_of(colors[s]);
        sum += weight * colors[s];
        weights += weight;
    }
    imageStore(result, texel, sum / weights);
}

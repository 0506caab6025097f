#ifndef OIT_FRAGMENT
#define OIT_FRAGMENT
// The bits of fragments that have colours.
//
// "depth, mode": the bits of the depth in [0, 1] as a float, of which the upper two are 0, moved up
// by two. "depth, samples, mode" of several samples: 22 bits of depth as a share, 8 of samples, 2
// of mode; of one sample it is as "depth, mode". "triangle, samples": 24 bits and 8.
#include "fragment_lists.glsl"

layout(constant_id = 10) const uint kPayload = 0u; // kStandard to kTight; of lengths any
layout(constant_id = 11) const uint kLayout = 0u;  // kLinked, kArrays
layout(constant_id = 12) const uint kSamples = 1u; // of a pixel, up to 8

const uint kNoNode = 0xffffffffu;
const uint kNoTightNode = 0xffffffu;

const uint kAllSamples = (1u << kSamples) - 1u;
const uint kWords = kPayload == kHdr ? 4u : kPayload == kStandard || kPayload == kFace ? 3u : 2u;
const uint kStride = kWords + (kLayout == kLinked && kPayload != kTight ? 1u : 0u);

struct Fragment {
    vec4 color;    // not multiplied by alpha; alpha in [0, 1]
    float depth;   // in [0, 1], 0 near
    uint triangle;
    uint samples;  // a bit each
    uint mode;     // how it is blended: of blend.glsl
};

uint depth_and_mode(float depth, uint mode) {
    return (floatBitsToUint(depth) << 2u) | mode;
}

uvec4 packed(Fragment f) {
    uint ids = (f.triangle << 8u) | f.samples;
    if (kPayload == kStandard)
        return uvec4(packUnorm4x8(f.color), depth_and_mode(f.depth, f.mode), ids, 0u);
    if (kPayload == kHdr)
        return uvec4(packHalf2x16(f.color.rg), packHalf2x16(f.color.ba),
                     depth_and_mode(f.depth, f.mode), ids);
    if (kPayload == kCompact) {
        uint place = kSamples == 1u ? depth_and_mode(f.depth, f.mode)
                                    : (uint(f.depth * 4194303.0 + 0.5) << 10u) |
                                          (f.samples << 2u) | f.mode;
        return uvec4(packUnorm4x8(f.color), place, 0u, 0u);
    }
    uvec4 color = uvec4(round(clamp(f.color, 0.0, 1.0) * vec4(31.0, 63.0, 31.0, 63.0)));
    uint depth16 = uint(f.depth * 65535.0 + 0.5);
    return uvec4((depth16 << 16u) | (color.r << 11u) | (color.g << 5u) | color.b,
                 (color.a << 2u) | f.mode, 0u, 0u);
}

Fragment unpacked(uvec4 words) {
    Fragment f;
    f.triangle = 0u;
    f.samples = kAllSamples;
    if (kPayload == kTight) {
        uint c = words.x;
        f.color = vec4(uvec4((c >> 11u) & 31u, (c >> 5u) & 63u, c & 31u, (words.y >> 2u) & 63u)) /
                  vec4(31.0, 63.0, 31.0, 63.0);
        f.depth = float(c >> 16u) / 65535.0;
        f.mode = words.y & 3u;
        return f;
    }
    uint place = kPayload == kHdr ? words.z : words.y;
    f.color = kPayload == kHdr ? vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y))
                               : unpackUnorm4x8(words.x);
    f.mode = place & 3u;
    if (kPayload == kCompact && kSamples > 1u) {
        f.depth = float(place >> 10u) / 4194303.0;
        f.samples = (place >> 2u) & 0xffu;
        return f;
    }
    f.depth = uintBitsToFloat(place >> 2u);
    if (kPayload == kCompact) return f;
    uint ids = kPayload == kHdr ? words.w : words.z;
    f.triangle = ids >> 8u;
    f.samples = ids & 0xffu;
    return f;
}

#endif

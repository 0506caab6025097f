#ifndef OIT_FRAGMENT
#define OIT_FRAGMENT
// How a transparent fragment lies in memory. C++: passes/oit/lists.hpp.
//
// packing     words of a fragment (in lists a further one names the next node)
// standard    rgba8 | depth, mode | triangle, samples
// hdr         rg16f | ba16f | depth, mode | triangle, samples
// compact     rgba8 | depth, samples, mode
// tight       depth16, rgb565 | next24, alpha6, mode
//
// "depth, mode": the bits of the depth in [0, 1] as a float, of which the upper two are 0, moved up
// by two. "depth, samples, mode" of several samples: 22 bits of depth as a share, 8 of samples, 2
// of mode; of one sample it is as "depth, mode". "triangle, samples": 24 bits and 8.
#include "blend.glsl"

layout(constant_id = 10) const uint kPacking = 0u;
layout(constant_id = 11) const uint kLayout = 0u;  // kLinked, kArrays
layout(constant_id = 12) const uint kSamples = 1u; // of a pixel, up to 8

const uint kStandard = 0u;
const uint kHdr = 1u;
const uint kCompact = 2u;
const uint kTight = 3u;

const uint kLinked = 0u;
const uint kArrays = 1u;

const uint kNoNode = 0xffffffffu;
const uint kNoTightNode = 0xffffffu;

const uint kAllSamples = (1u << kSamples) - 1u;
const uint kPayload = kPacking == kStandard ? 3u : kPacking == kHdr ? 4u : 2u;
const uint kStride = kPayload + (kLayout == kLinked && kPacking != kTight ? 1u : 0u);

struct Fragment {
    vec4 color;    // not multiplied by alpha; alpha in [0, 1]
    float depth;   // in [0, 1], 0 near
    uint triangle;
    uint samples;  // a bit each
    uint mode;     // of blend.glsl
};

uint depth_and_mode(float depth, uint mode) {
    return (floatBitsToUint(depth) << 2u) | mode;
}

uvec4 packed(Fragment f) {
    uint ids = (f.triangle << 8u) | f.samples;
    if (kPacking == kStandard)
        return uvec4(packUnorm4x8(f.color), depth_and_mode(f.depth, f.mode), ids, 0u);
    if (kPacking == kHdr)
        return uvec4(packHalf2x16(f.color.rg), packHalf2x16(f.color.ba),
                     depth_and_mode(f.depth, f.mode), ids);
    if (kPacking == kCompact) {
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
    if (kPacking == kTight) {
        uint c = words.x;
        f.color = vec4(uvec4((c >> 11u) & 31u, (c >> 5u) & 63u, c & 31u, (words.y >> 2u) & 63u)) /
                  vec4(31.0, 63.0, 31.0, 63.0);
        f.depth = float(c >> 16u) / 65535.0;
        f.mode = words.y & 3u;
        return f;
    }
    uint place = kPacking == kHdr ? words.z : words.y;
    f.color = kPacking == kHdr ? vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y))
                               : unpackUnorm4x8(words.x);
    f.mode = place & 3u;
    if (kPacking == kCompact && kSamples > 1u) {
        f.depth = float(place >> 10u) / 4194303.0;
        f.samples = (place >> 2u) & 0xffu;
        return f;
    }
    f.depth = uintBitsToFloat(place >> 2u);
    if (kPacking == kCompact) return f;
    uint ids = kPacking == kHdr ? words.w : words.z;
    f.triangle = ids >> 8u;
    f.samples = ids & 0xffu;
    return f;
}

#endif

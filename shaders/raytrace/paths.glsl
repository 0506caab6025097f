// Paths in flight, one a slot. Slots go through a picture in tiles of 8x8 pixels, so that rays of a
// group stay together; those of the last tiles may lie outside of it.
#ifndef RAYTRACE_PATHS
#define RAYTRACE_PATHS

#include "bvh/ray.glsl"

const uint kTileSide = 8u;
const uint kTilePixels = kTileSide * kTileSide;
const uint kNoPath = 0xffffffffu;
const float kFar = 1e30;   // t of what has no end
const float kDead = -1.0;  // t_max of a ray that is not traced

ivec2 pixel_of(uint slot, uint tiles_per_row) {
    uint tile = slot / kTilePixels;
    uint within = slot % kTilePixels;
    return ivec2(kTileSide * uvec2(tile % tiles_per_row, tile / tiles_per_row) +
                 uvec2(within % kTileSide, within / kTileSide));
}

// Two quads.
struct Path {
    vec3 throughput; // what the radiance along the ray counts for in the picture
    float pdf;       // of the ray's direction, by solid angle; kCertain where it was no choice
    vec3 radiance;   // what has been found so far
    float travelled; // since it was scattered, past what is seen through
};
const float kCertain = -1.0;

// Light that arrives unless something is in the way; three quads. The last word of the third counts
// what of it is lost on the way: see_through.glsl.
struct ShadowRay {
    Ray ray;
    vec3 light;
};

readonly buffer Frame { uint samples; } frame; // before this execution

// Which paths a kernel works on: the ones in its queue, where there is one, or all slots.
layout(constant_id = 20) const uint has_queue = 0u;
readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint words[]; } queue_length;

// The slot that entry `i` of the queue names, or kNoPath beyond its end; `slots`: all there are.
uint slot_at(uint i, uint slots) {
    if (has_queue == 0u) return i < slots ? i : kNoPath;
    if (i >= min(queue_length.words[0], slots)) return kNoPath;
    return queue.values[i];
}

bool is_dead(Ray ray) {
    return ray.t_max < 0.0;
}

// --- cones ----------------------------------------------------------------------------------------
// How wide what a path stands for is, so that textures are looked up no finer than can be seen
// (Akenine-Moeller and others, "Texture Level of Detail Strategies for Real-Time Ray Tracing", Ray
// Tracing Gems, chapter 20, 2019; "Improved Shader and Texture Level of Detail Using Ray Cones", JCGT
// 10(1), 2021). Angles are small: a cone grows by its spread over a unit of length.

struct Cone {
    float width;  // where the ray begins; 0 with a spread of 0: textures are at their finest level
    float spread; // negative before the focus of a hollow mirror
};

const float kWidest = 1e30;
const float kMaxSpread = 4.0;

// In a word whose highest bit is 0, sixteen bits each: floats without their last bits.
uint packed_cone(Cone cone) {
    uint width = floatBitsToUint(clamp(cone.width, 0.0, kWidest)) + 0x8000u;
    uint spread = floatBitsToUint(clamp(cone.spread, -kMaxSpread, kMaxSpread)) + 0x8000u;
    return (width & 0x7fff0000u) | spread >> 16u;
}

Cone unpacked_cone(uint word) {
    return Cone(uintBitsToFloat(word & 0x7fff0000u), uintBitsToFloat(word << 16u));
}

// Further along the ray by `t`. Behind a focus it grows again.
Cone cone_after(Cone cone, float t) {
    float width = cone.width + cone.spread * t;
    return width < 0.0 ? Cone(-width, -cone.spread) : Cone(width, cone.spread);
}

// How cones are carried on: `TextureLevels` of passes/raytrace/tracer_parameters.hpp.
const uint kConesOfLobes = 0u;   // reflections are as blurred as the material's lobe
const uint kConesOfMirrors = 1u; // all reflections are sharp
const uint kConesNone = 2u;      // textures are looked up at their finest level

const float kWidestLobe = 1.0;

// The width of a lobe of GGX about the mirrored direction: where its distribution of half vectors,
// (1 + tan^2 / alpha^2)^-2, falls to half, on both sides, and twice as much for directions.
float lobe_of(float alpha) {
    const float kHalf = 0.64359425; // sqrt(sqrt(2) - 1)
    return min(4.0 * kHalf * alpha, kWidestLobe);
}

// What a surface makes of a cone that it reflects: it turns the normal over the cone's width, by its
// curvature, and spreads each direction over a lobe. `cosine`: between ray and normal.
Cone reflected_cone(Cone cone, float curvature, float cosine, float lobe, uint cones) {
    if (cones == kConesNone) return cone;
    float turned = curvature * cone.width / max(abs(cosine), 1.0 / 1024.0);
    Cone reflected = Cone(cone.width, cone.spread + 2.0 * turned);
    if (cones == kConesOfLobes && lobe > 0.0)
        reflected.spread = length(vec2(reflected.spread, lobe));
    return reflected;
}

// Rays of paths have no end: in a buffer, the word of their t_max holds their cone, or kDead.
float t_max_of(uint word) {
    return (word >> 31u) != 0u ? kDead : kFar;
}
uint t_max_word(Ray ray, Cone cone) {
    return is_dead(ray) ? floatBitsToUint(kDead) : packed_cone(cone);
}

// Where a ray begins that leaves a surface: moved off it along its normal by a few steps of the
// floating-point numbers there, so that rounding does not put it behind (Waechter and Binder, "A
// Fast and Robust Method for Avoiding Self-Intersection", Ray Tracing Gems, chapter 6, 2019).
vec3 off_surface(vec3 position, vec3 normal) {
    const float kSteps = 256.0;        // along an axis that the normal points along
    const float kNearZero = 1.0 / 32.0; // where steps get too small, a fixed length
    const float kFixed = 1.0 / 65536.0;
    ivec3 steps = ivec3(kSteps * normal);
    bvec3 negative = lessThan(position, vec3(0.0));
    vec3 moved = intBitsToFloat(floatBitsToInt(position) + mix(steps, -steps, negative));
    return mix(moved, position + kFixed * normal, lessThan(abs(position), vec3(kNearZero)));
}

// What the random numbers of a path are used for: `random_numbers(slot, sample_index, use)` of
// hash.glsl. A bounce has kUsesPerBounce uses of its own, from kFirstBounce on.
const uint kUsePixel = 0u;
const uint kUseLens = 1u;
const uint kFirstBounce = 2u;
const uint kUsesPerBounce = 3u;
const uint kUseLobe = 0u; // what is passed through, which light, whether the path goes on
const uint kUseScatter = 1u;
const uint kUseLight = 2u;

#endif

#version 460
//! variants WIDE=0,1
// Rays before they meet patches: how far each looks (as t and patch in one word pair, WIDE, or in a
// word each), and what it has hit before.

layout(local_size_x = 64) in;

#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#include "invocation.glsl"
#include "rays.glsl"

#if WIDE
writeonly buffer Nearest { uint64_t values[]; } nearest;
#else
writeonly buffer Nearest { uint values[]; } nearest; // bits of t
writeonly buffer Winners { uint values[]; } winners; // patches
#endif
writeonly buffer Hits { uvec4 values[]; } hits;
writeonly buffer Levels { uint values[]; } levels;

layout(constant_id = 0) const uint with_levels = 0u;

uniform Params {
    uint ray_count;
} params;

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay) return;
    uint t = floatBitsToUint(max(ray_to_patches(i).t_max, 0.0));
#if WIDE
    nearest.values[i] = uint64_t(t) << 32 | uint64_t(0xffffffffu);
#else
    nearest.values[i] = t;
    winners.values[i] = 0xffffffffu;
#endif
    hits.values[i] = hit_before(i);
    if (with_levels != 0u) levels.values[i] = 0xffffffffu;
}

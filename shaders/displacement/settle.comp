#version 460
//! variants STEP=winner,write WIDE=0,1 except winner,1
// Of all pairs of a ray, the one that counts: least t, then least patch. winner: among those of the
// least t the least patch is kept. write: that pair writes the ray's hit.

layout(local_size_x = 256) in;

#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#include "rays.glsl"
#include "status.glsl"
#include "invocation.glsl"

#if STEP_winner
readonly buffer Status { CastStatus elements[]; } status;
#else
buffer Status { CastStatus elements[]; } status;
#endif
readonly buffer PairPatches { uint values[]; } pair_patches;
readonly buffer PairRays { uint values[]; } pair_rays;
readonly buffer Found { uvec4 values[]; } found;
#if WIDE
readonly buffer Nearest { uint64_t values[]; } nearest;
#else
readonly buffer Nearest { uint values[]; } nearest;
#endif
#if STEP_winner
buffer Winners { uint values[]; } winners;
#else
#if !WIDE
readonly buffer Winners { uint values[]; } winners;
#endif
writeonly buffer Hits { uvec4 values[]; } hits;
writeonly buffer Levels { uint values[]; } levels;
layout(constant_id = 0) const uint with_levels = 0u;

shared uint hit_count;
shared uint coarse_count;
#endif

uniform Params {
    uint room;
} params;

void settle(uint i) {
    uvec4 mine = found.values[i];
    if (mine.x == 0xffffffffu) return;
    uint ray = pair_rays.values[i];
    uint patch_index = pair_patches.values[i];
#if STEP_winner
    if (nearest.values[ray] == mine.x) atomicMin(winners.values[ray], patch_index);
#else
#if WIDE
    if (nearest.values[ray] != (uint64_t(mine.x) << 32 | uint64_t(patch_index))) return;
#else
    if (nearest.values[ray] != mine.x || winners.values[ray] != patch_index) return;
#endif
    hits.values[ray] = uvec4(mine.x, patch_number(patch_index), mine.zw);
    if (with_levels != 0u) levels.values[ray] = mine.y & ~kCoarse;
    atomicAdd(hit_count, 1u);
    if ((mine.y & kCoarse) != 0u) atomicAdd(coarse_count, 1u);
#endif
}

void main() {
    uint i = invocation_index();
#if !STEP_winner
    if (gl_LocalInvocationID.x == 0u) hit_count = coarse_count = 0u;
    barrier();
#endif
    if (i < min(status.elements[0].pairs, params.room)) settle(i);
#if !STEP_winner
    barrier();
    if (gl_LocalInvocationID.x != 0u) return;
    if (hit_count != 0u) atomicAdd(status.elements[0].hits, hit_count);
    if (coarse_count != 0u) atomicAdd(status.elements[0].coarse, coarse_count);
#endif
}

#version 460
//! variants STORE=shared,scratch,kept WIDE=0,1
// Rays against the patch that they share: a group takes a job, builds the patch's quad tree as fine as
// the finest of the job's rays asks for, in shared memory or in a piece of a buffer that is its own,
// traces the rays and forgets the tree. Or it takes a tree that is kept.

layout(local_size_x = 64) in;

#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#include "tree.glsl"
#include "rays.glsl"
#include "status.glsl"
#include "invocation.glsl"

buffer JobCount { uint jobs; uint next; } job_count;
readonly buffer Jobs { PatchJob values[]; } jobs;
readonly buffer PairRays { uint values[]; } pair_rays;
readonly buffer Boxes { vec4 values[]; } boxes;
// A pair: bits of t, level (and kCoarse), place on the patch.
writeonly buffer Found { uvec4 values[]; } found;
#if WIDE
buffer Nearest { uint64_t values[]; } nearest;
#else
buffer Nearest { uint values[]; } nearest;
#endif

layout(constant_id = 0) const uint persistent = 0u; // 1: groups take job after job

uniform Params {
    uint finest;
    float scale;
    float spread;
    vec3 eye;
    uint patch_count;
    uint job_room;
    uint node_room; // words, of a tree
    uint most_jobs; // that a group takes; all groups together have room for every job
} params;

shared uint job_number;
shared uint built_level;

float limit_of(uint ray) {
#if WIDE
    return uintBitsToFloat(uint(nearest.values[ray] >> 32));
#else
    return uintBitsToFloat(nearest.values[ray]);
#endif
}

// What all rays of a job have in common.
struct Target {
    uint number;
    PlacedPatch placed;
    PatchRecord p;
    PatchBox box;
};

PatchLevels levels_for(Target to, Ray ray) {
    Fineness fineness = fineness_of(ray, to.placed.instance, params.eye, params.spread);
    return levels_of(to.p, to.box, fineness, params.finest, params.scale);
}

void trace(uint pair, Target to) {
    uint ray_index = pair_rays.values[pair];
    Ray ray = ray_into(to.placed.instance, ray_to_patches(ray_index));
    PatchLevels levels = levels_for(to, ray);
    // Others may bring the limit down meanwhile, never below the nearest hit.
    PatchHit best = PatchHit(min(ray.t_max, limit_of(ray_index)), 0xffffffffu, vec2(0.0));
    walk_tree(prepare(ray), to.p, steps_of(to.box), levels, params.scale, best);
    bool hits = best.cell != 0xffffffffu;
    uint t = hits ? floatBitsToUint(best.t) : 0xffffffffu;
    uint level = levels.level | (levels.wanted > params.finest ? kCoarse : 0u);
    found.values[pair] = uvec4(t, level, floatBitsToUint(best.at));
    if (!hits) return;
#if WIDE
    atomicMin(nearest.values[ray_index], uint64_t(t) << 32 | uint64_t(to.number));
#else
    atomicMin(nearest.values[ray_index], t);
#endif
}

void work(PatchJob job) {
    Target to;
    to.number = job.patch_index;
    to.placed = placed_patch(job.patch_index, params.patch_count);
    uint i = to.placed.patch_index;
    to.p = patches.elements[i];
    to.box = PatchBox(boxes.values[2u * i].xyz, boxes.values[2u * i + 1u].xyz);
    if (gl_LocalInvocationID.x == 0u) {
        built_level = 0u;
    }
    barrier();
    for (uint k = job.begin + gl_LocalInvocationID.x; k < job.end; k += 64u) {
        Ray ray = ray_into(to.placed.instance, ray_to_patches(pair_rays.values[k]));
        PatchLevels levels = levels_for(to, ray);
        atomicMax(built_level, levels.level);
    }
    barrier();
#if STORE_kept
    tree_at = i * params.node_room;
#else
    build_tree(to.p, steps_of(to.box), built_level, params.scale);
#endif
    for (uint k = job.begin + gl_LocalInvocationID.x; k < job.end; k += 64u)
        trace(k, to);
    barrier();
}

void main() {
#if STORE_scratch
    tree_at = group_index() * params.node_room;
#endif
    uint count = min(job_count.jobs, params.job_room);
    if (persistent == 0u) {
        if (group_index() < count) work(jobs.values[group_index()]);
        return;
    }
    // Not until there are none: llvmpipe runs few groups at once, which would take all, and ends
    // loops after 65,536 rounds.
    for (uint taken = 0u; taken < params.most_jobs; ++taken) {
        if (gl_LocalInvocationID.x == 0u) job_number = atomicAdd(job_count.next, 1u);
        barrier();
        uint job = job_number;
        barrier();
        if (job >= count) return;
        work(jobs.values[job]);
    }
}

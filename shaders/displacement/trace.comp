#version 460
//! variants STORE=shared,scratch WIDE=0,1
// Rays against the patch that they share: a group takes a job, builds the patch's quad tree as fine
// as the finest of the job's rays asks for, in shared memory or in a piece of a buffer that is its own, traces the rays
// and forgets the tree.
//
// Nodes are numbered level by level, those of a level row by row. A node is a box, in steps of the
// patch's box: 16 bits for each side, or 8.

layout(local_size_x = 64) in;

#if WIDE
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif

#include "meet.glsl"
#include "rays.glsl"
#include "status.glsl"
#include "invocation.glsl"

buffer Status { CastStatus elements[]; } status;
buffer JobCount { uint jobs; uint next; } job_count;
readonly buffer Jobs { PatchJob values[]; } jobs;
readonly buffer PairRays { uint values[]; } pair_rays;
readonly buffer Boxes { vec4 values[]; } boxes;
readonly buffer Links { uint values[]; } links; // first child, and what comes after, 16 bits each
writeonly buffer Found { uvec4 values[]; } found; // a pair: bits of t, level, place on the patch
#if WIDE
buffer Nearest { uint64_t values[]; } nearest;
#else
buffer Nearest { uint values[]; } nearest;
#endif

layout(constant_id = 0) const uint persistent = 0u; // 1: groups take job after job
layout(constant_id = 1) const uint bytes = 0u;      // 1: nodes have 8 bits a side

uniform Params {
    uint finest;
    float scale;
    float spread;
    uint job_room;
    uint node_room; // words, of a group's piece
    uint most_jobs; // that a group takes; all groups together have room for every job
} params;

// Words of a node.
uint node_words() {
    return bytes != 0u ? 2u : 3u;
}
#if STORE_shared
shared uint nodes[1365u * 3u]; // five levels below the root
void put(uint at, uint word) {
    nodes[at] = word;
}
uint get(uint at) {
    return nodes[at];
}
void see_nodes() {
    barrier();
}
#else
coherent buffer Scratch { uint values[]; } scratch;
uint scratch_at;
void put(uint at, uint word) {
    scratch.values[scratch_at + at] = word;
}
uint get(uint at) {
    return scratch.values[scratch_at + at];
}
void see_nodes() {
    memoryBarrierBuffer();
    barrier();
}
#endif
shared uint job_number;
shared uint built_level;
shared uint coarse_rays;

const uint kEnd = 0xffffu;

uint first_of(uint level) {
    return ((1u << 2u * level) - 1u) / 3u;
}

struct Steps {
    vec3 low;
    vec3 size; // of a step
    float most;
};

Steps steps_of(PatchBox box) {
    float most = bytes != 0u ? 255.0 : 65535.0;
    precise vec3 size = max((box.high - box.low) / (most - 1.0), vec3(1e-30));
    return Steps(box.low, size, most);
}

vec3 place_of_step(Steps steps, uvec3 step_number) {
    precise vec3 place = steps.low + vec3(step_number) * steps.size;
    return place;
}

// Never less than the box: what rounding has put too near is a step further.
uvec3 steps_below(Steps steps, vec3 at) {
    uvec3 number = uvec3(clamp(floor((at - steps.low) / steps.size), 0.0, steps.most));
    bvec3 inside = greaterThan(place_of_step(steps, number), at);
    return number - mix(uvec3(0u), min(number, uvec3(1u)), inside);
}
uvec3 steps_above(Steps steps, vec3 at) {
    uvec3 number = uvec3(clamp(ceil((at - steps.low) / steps.size), 0.0, steps.most));
    bvec3 inside = lessThan(place_of_step(steps, number), at);
    return min(number + mix(uvec3(0u), uvec3(1u), inside), uvec3(steps.most));
}

struct NodeBox {
    uvec3 low;
    uvec3 high;
};
void store_node(uint node, NodeBox box) {
    uint at = node * node_words();
    if (bytes != 0u) {
        put(at, box.low.x | box.low.y << 8u | box.low.z << 16u);
        put(at + 1u, box.high.x | box.high.y << 8u | box.high.z << 16u);
        return;
    }
    put(at, box.low.x | box.high.x << 16u);
    put(at + 1u, box.low.y | box.high.y << 16u);
    put(at + 2u, box.low.z | box.high.z << 16u);
}
NodeBox load_node(uint node) {
    uint at = node * node_words();
    if (bytes != 0u) {
        uvec2 both = uvec2(get(at), get(at + 1u));
        return NodeBox(uvec3(both.x, both.x >> 8u, both.x >> 16u) & 0xffu,
                       uvec3(both.y, both.y >> 8u, both.y >> 16u) & 0xffu);
    }
    uvec3 words = uvec3(get(at), get(at + 1u), get(at + 2u));
    return NodeBox(words & 0xffffu, words >> 16u);
}

void build(PatchRecord p, Steps steps, uint level) {
    uint side = 1u << level;
    for (uint k = gl_LocalInvocationID.x; k < side * side; k += 64u) {
        PatchBox box = cell_box(p, uvec2(k % side, k / side), level, params.scale);
        store_node(first_of(level) + k,
                   NodeBox(steps_below(steps, box.low), steps_above(steps, box.high)));
    }
    for (uint above = level; above-- > 0u;) {
        see_nodes();
        uint row = 1u << above;
        for (uint k = gl_LocalInvocationID.x; k < row * row; k += 64u) {
            uint child = first_of(above + 1u) + 2u * (k / row) * 2u * row + 2u * (k % row);
            NodeBox box = load_node(child);
            uint others[3] = uint[3](child + 1u, child + 2u * row, child + 2u * row + 1u);
            for (uint i = 0u; i < 3u; ++i) {
                NodeBox other = load_node(others[i]);
                box.low = min(box.low, other.low);
                box.high = max(box.high, other.high);
            }
            store_node(first_of(above) + k, box);
        }
    }
    see_nodes();
}

float limit_of(uint ray) {
#if WIDE
    return uintBitsToFloat(uint(nearest.values[ray] >> 32));
#else
    return uintBitsToFloat(nearest.values[ray]);
#endif
}

void trace(uint pair, uint patch_index, PatchRecord p, PatchBox box, Steps steps) {
    uint ray_number = pair_rays.values[pair];
    Ray ray = ray_to_patches(ray_number);
    PreparedRay prepared = prepare(ray);
    vec2 enters = interval_in(prepared.slabs, box.low, box.high);
    uint level = level_for(box, way_at(ray_number, max(enters.x, 0.0)), params.spread,
                           params.finest);
    // Others may bring the limit down meanwhile, never below the nearest hit.
    PatchHit best = PatchHit(min(ray.t_max, limit_of(ray_number)), 0xffffffffu, vec2(0.0));
    uint leaves = first_of(level);
    uint node = 0u;
    while (node != kEnd) {
        NodeBox quantised = load_node(node);
        vec3 low = place_of_step(steps, quantised.low);
        vec3 high = place_of_step(steps, quantised.high);
        uint link = links.values[node];
        uint next = link >> 16u;
        if (may_hit(interval_in(prepared.slabs, low, high), best.t)) {
            if (node >= leaves) {
                uint k = node - leaves;
                meet_cell(prepared, p, uvec2(k & ((1u << level) - 1u), k >> level), level,
                          params.scale, best);
            } else {
                next = link & 0xffffu;
            }
        }
        node = next;
    }
    bool hits = best.cell != 0xffffffffu;
    uint t = hits ? floatBitsToUint(best.t) : 0xffffffffu;
    found.values[pair] = uvec4(t, level, floatBitsToUint(best.at));
    if (!hits) return;
#if WIDE
    atomicMin(nearest.values[ray_number], uint64_t(t) << 32 | uint64_t(patch_index));
#else
    atomicMin(nearest.values[ray_number], t);
#endif
}

void work(PatchJob job) {
    PatchRecord p = patches.elements[job.patch_index];
    PatchBox box = PatchBox(boxes.values[2u * job.patch_index].xyz,
                            boxes.values[2u * job.patch_index + 1u].xyz);
    Steps steps = steps_of(box);
    if (gl_LocalInvocationID.x == 0u) {
        built_level = 0u;
        coarse_rays = 0u;
    }
    barrier();
    for (uint k = job.begin + gl_LocalInvocationID.x; k < job.end; k += 64u) {
        Ray ray = ray_to_patches(pair_rays.values[k]);
        vec2 enters = interval_in(slabs_of(ray), box.low, box.high);
        float way = way_at(pair_rays.values[k], max(enters.x, 0.0));
        atomicMax(built_level, level_for(box, way, params.spread, params.finest));
        vec3 size = box.high - box.low;
        float pixel = params.spread * way * float(1u << params.finest);
        if (params.spread > 0.0 && max(max(size.x, size.y), size.z) > pixel)
            atomicAdd(coarse_rays, 1u);
    }
    barrier();
    build(p, steps, built_level);
    for (uint k = job.begin + gl_LocalInvocationID.x; k < job.end; k += 64u)
        trace(k, job.patch_index, p, box, steps);
    if (gl_LocalInvocationID.x == 0u && coarse_rays != 0u)
        atomicAdd(status.elements[0].coarse, coarse_rays);
    barrier();
}

void main() {
#if STORE_scratch
    scratch_at = group_index() * params.node_room;
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

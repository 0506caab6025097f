// What a smoke gets and loses in a step besides being carried.
uniform Params {
    float dt;            // time units
    float kept_velocity; // shares that drag and decay leave
    vec4 kept_dye;
    vec3 buoyancy; // speed gained by a unit of heat, the dye's fourth number
    uint emitters;
    vec4 emitter_places[8]; // middle, cells, and the shape: SmokeShape in C++
    vec4 emitter_sizes[8];  // half a box; of spheres x is the radius
    vec4 emitter_forces[8]; // acceleration
    vec4 emitter_dyes[8];   // 1 / time unit
    uvec3 voxel_dims;
    float least_dye; // below this a cell has none
} params;

#include "sparse_events.glsl"

layout(constant_id = 21) const uint has_emitter_texture = 0u;
layout(constant_id = 22) const uint has_emitter_voxels = 0u;
uniform sampler3D emitter_texture;
readonly buffer EmitterVoxels { uint words[]; } emitter_voxels;

const uint kSphere = 0u;
const uint kBox = 1u;
const uint kTexture = 2u;
const uint kVoxels = 3u;

// The share of an emitter's force and dye that the fluid at a place takes on. Of spheres it falls off
// smoothly; of radius 0 there is none.
float emitted_at(uint emitter, vec3 place) {
    vec3 off = place - params.emitter_places[emitter].xyz;
    vec3 size = params.emitter_sizes[emitter].xyz;
    uint shape = uint(params.emitter_places[emitter].w);
    if (!(size.x > 0.0)) return 0.0;
    if (shape == kSphere) {
        float within = clamp(1.0 - dot(off, off) / (size.x * size.x), 0.0, 1.0);
        return within * within * within;
    }
    if (!(all(greaterThanEqual(off, -size)) && all(lessThan(off, size)))) return 0.0;
    if (shape == kBox) return 1.0;
    vec3 at = 0.5 + 0.5 * (off / size);
    if (shape == kTexture && has_emitter_texture != 0u) {
        ivec3 texels = textureSize(emitter_texture, 0);
        return texelFetch(emitter_texture, min(ivec3(at * vec3(texels)), texels - 1), 0).r;
    }
    if (shape == kVoxels && has_emitter_voxels != 0u) {
        uvec3 voxel = min(uvec3(at * vec3(params.voxel_dims)), params.voxel_dims - 1u);
        // A bit each, in rows along z of whole words, as in voxel/grid.glsl.
        uint row = (voxel.y * params.voxel_dims.x + voxel.x) * (params.voxel_dims.z + 31u >> 5u);
        uint word = emitter_voxels.words[row + (voxel.z >> 5)];
        return (word >> (voxel.z & 31u) & 1u) != 0u ? 1.0 : 0.0;
    }
    return 0.0;
}

// Whether an emitter may reach a cell of the group's brick.
shared bool near_emitters[8];

// Before a barrier.
void find_emitters(ivec3 origin, ivec3 size) {
    uint i = gl_LocalInvocationIndex;
    if (i >= params.emitters) return;
    vec4 place = params.emitter_places[i];
    vec3 reach = params.emitter_sizes[i].xyz;
    if (uint(place.w) == kSphere) reach = reach.xxx;
    vec3 low = vec3(origin), high = vec3(origin + size);
    near_emitters[i] = all(lessThanEqual(place.xyz - reach, high)) &&
                       all(greaterThanEqual(place.xyz + reach, low));
}

void add_sources(vec3 place, inout vec4 velocity, inout vec4 dye) {
    precise vec3 speed = params.kept_velocity * velocity.xyz;
    speed = fma(params.buoyancy, vec3(dye.w), speed);
    precise vec4 smoke = params.kept_dye * dye;
    for (uint i = 0u; i < params.emitters; ++i) {
        if (!near_emitters[i]) continue;
        float share = params.dt * emitted_at(i, place);
        speed = fma(vec3(share), params.emitter_forces[i].xyz, speed);
        smoke = fma(vec4(share), params.emitter_dyes[i], smoke);
    }
    velocity = vec4(speed, 0.0);
    dye = smoke;
    hold_state(velocity, dye);
}

// --- what there is afterwards ---------------------------------------------------------------------
// Sums up the dye that a group of 64 invocations has written, in four rounds.

writeonly buffer Runs { Run runs[]; } written_runs;

// By cell: its mass, whose sign is set where dye is present. Runs are apart, for the banks of memory.
shared uint dye_here[kWalkGroup + kWalkGroup / kRun];

// `dye`: of the invocation's cell in a round, as it is stored; `least`: the least that is present.
void note_dye(uint round_, vec4 dye, float least) {
    vec4 smoke = abs(dye);
    float mass = (smoke.x + smoke.y + smoke.z) * (1.0 / 3.0);
    bool present = max(max(smoke.x, smoke.y), max(smoke.z, smoke.w)) > least;
    uint at = 64u * round_ + gl_LocalInvocationID.x;
    dye_here[at + at / kRun] = floatBitsToUint(mass) | (present ? 0x80000000u : 0u);
}

// After the last round.
void sum_up(WalkedCell walked) {
    barrier();
    uint lane = gl_LocalInvocationID.x;
    if (lane >= kWalkGroup / kRun) return;
    Run run = Run(0u, 0.0);
    for (uint i = 0u; i < kRun; ++i) {
        uint bits = dye_here[lane * (kRun + 1u) + i];
        run.present |= bits >> 31 << i;
        run.mass += uintBitsToFloat(bits & 0x7fffffffu);
    }
    uint part = group_index() % kGroupsABrick;
    written_runs.runs[slot_of(walked.word) * kRunsABrick + part * (kWalkGroup / kRun) + lane] = run;
}

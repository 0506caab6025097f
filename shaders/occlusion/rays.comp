#version 460
// How much of a voxel's surroundings is open, by rays to the volume's end. A ray passes voxel after
// voxel and loses in each what the length of its way there says.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "hash.glsl"
#include "opacities.glsl"

layout(constant_id = 0) const uint kOwn = 0u;   // 1: the voxel itself counts
layout(constant_id = 1) const uint kCover = 0u; // 0: sphere, 1: hemisphere, 2: weighed by cosine
layout(constant_id = 2) const uint has_numbers = 0u;

uniform Params {
    ivec3 dims;
    ivec3 result_dims;
    int stride; // voxels from one that is looked at to the next
    uint rays;
    float turn; // share of a turn, and of a step along z, by which voxels' rays differ
    float reach; // voxels
    uint seed;
} params;

uniform sampler3D opacity;
uniform sampler3D numbers;
uniform sampler3D bricks; // of 8 voxels: 0 where nothing is in them
writeonly uniform image3D result;

// Of the logarithm, base 2, of what comes through, where a ray may end: 1e-6 then does. A solid voxel
// loses as much on a millionth of its edge, so a ray that only touches it goes on.
const float kMaxLost = 20.0;
const float kSolid = 2e7; // of what is solid, a voxel

// A spiral of evenly spread directions: equal steps along z, golden turns about it. The turns are
// counted in 2^-32, where they lose no bits.
// `shift`: of the steps, -1 to 1.
vec3 direction_of(uint ray, uint turn, float shift) {
    float z = 1.0 - (2.0 * float(ray) + 1.0 + shift) / float(params.rays);
    float angle = float((ray * 2654435769u + turn) >> 8u) * (6.283185307179586 / 16777216.0);
    float beside = sqrt(max(1.0 - z * z, 0.0));
    return vec3(beside * cos(angle), beside * sin(angle), z);
}

// Bricks in which nothing is are left in one step. The logarithm of what comes through is summed: a
// voxel of opacity a takes log2(1 - a) for each voxel of the way.
float through(ivec3 voxel, vec3 direction) {
    vec3 per_voxel = 1.0 / max(abs(direction), vec3(1e-12)); // way from plane to plane
    ivec3 ahead = ivec3(sign(direction));
    bvec3 moves = notEqual(ahead, ivec3(0));
    vec3 first = mix(vec3(1e30), 0.5 * per_voxel, moves); // way to the first plane across each axis
    ivec3 start = voxel;
    vec3 next = first;
    float at = 0.0;
    float lost = 0.0;
    bool counts = kOwn != 0u;
    while (!is_beyond(voxel, params.dims) && at < params.reach && lost < kMaxLost) {
        if (counts && texelFetch(bricks, voxel >> 3, 0).r == 0.0) {
            // Planes that are crossed to leave the brick along each axis.
            ivec3 within = voxel & 7;
            ivec3 planes = mix(within, 7 - within, greaterThan(ahead, ivec3(0)));
            vec3 leaves = next + per_voxel * vec3(planes);
            leaves = mix(vec3(1e30), leaves, moves);
            at = min(leaves.x, min(leaves.y, leaves.z));
            // Rounding must not lead back, nor out of the brick where another plane ends it.
            ivec3 crossed = max(ivec3(floor(max((at - first) / per_voxel + 1.0, vec3(0.0)))),
                                abs(voxel - start));
            bvec3 ends = lessThanEqual(leaves, vec3(at));
            ivec3 stays = clamp(start + ahead * crossed, voxel & ~7, voxel | 7);
            ivec3 beyond = mix(voxel & ~7, voxel | 7, greaterThan(ahead, ivec3(0))) + ahead;
            voxel = mix(stays, beyond, ends);
            next = first + per_voxel * vec3(abs(voxel - start));
            continue;
        }
        float nearest = min(next.x, min(next.y, next.z));
        if (counts) {
            float passes = 1.0 - opacity_of(texelFetch(opacity, voxel, 0).r);
            lost -= max(log2(passes), -kSolid) * max(min(nearest, params.reach) - at, 0.0);
        }
        counts = true;
        at = nearest;
        bvec3 crosses = lessThanEqual(next, vec3(nearest));
        next += mix(vec3(0.0), per_voxel, crosses);
        voxel += mix(ivec3(0), ahead, crosses);
    }
    return lost < kMaxLost ? exp2(-lost) : 0.0;
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.result_dims))) return;
    ivec3 voxel = min(texel * params.stride + params.stride / 2, params.dims - 1);
    vec3 normal = vec3(0.0);
    if (kCover != 0u) {
        normal = has_numbers != 0u ? -opacity_gradient(numbers, params.dims, voxel)
                                   : -opacity_gradient(opacity, params.dims, voxel);
        float size = length(normal);
        normal = size > 1e-4 ? normal / size : vec3(0.0);
    }
    bool whole = normal == vec3(0.0);
    uint index = uint((voxel.z * params.dims.y + voxel.y) * params.dims.x + voxel.x);
    vec3 random = random_numbers(index, params.seed, 0u).xyz;
    uint turn = uint(params.turn * random.x * 4294967040.0);
    float shift = params.turn * (2.0 * random.y - 1.0);
    float sum = 0.0;
    float weights = 0.0;
    for (uint i = 0u; i < params.rays; ++i) {
        vec3 direction = direction_of(i, turn, shift);
        float weight = whole ? 1.0 : max(dot(direction, normal), 0.0);
        if (kCover != 2u) weight = weight > 0.0 ? 1.0 : 0.0;
        if (!(weight > 0.0)) continue;
        weights += weight;
        sum += weight * through(voxel, direction);
    }
    imageStore(result, texel, vec4(weights > 0.0 ? sum / weights : 1.0));
}

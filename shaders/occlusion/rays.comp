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
    float turn; // share of a turn by which voxels' rays differ
    float reach; // voxels
    uint seed;
} params;

uniform sampler3D opacity;
uniform sampler3D numbers;
writeonly uniform image3D result;

const float kLost = 1e-6; // what still comes through where a ray may end

// A spiral of evenly spread directions: equal steps along z, golden turns about it. The turns are
// counted in 2^-32, where they lose no bits.
vec3 direction_of(uint ray, uint turn) {
    float z = 1.0 - (2.0 * float(ray) + 1.0) / float(params.rays);
    float angle = float((ray * 2654435769u + turn) >> 8u) * (6.283185307179586 / 16777216.0);
    float beside = sqrt(max(1.0 - z * z, 0.0));
    return vec3(beside * cos(angle), beside * sin(angle), z);
}

float through(ivec3 voxel, vec3 direction) {
    vec3 per_voxel = 1.0 / max(abs(direction), vec3(1e-12)); // way from plane to plane
    ivec3 ahead = ivec3(sign(direction));
    vec3 next = 0.5 * per_voxel; // way to the next plane across each axis
    float at = 0.0;
    float left = 1.0;
    bool counts = kOwn != 0u;
    while (!is_beyond(voxel, params.dims) && at < params.reach && left > kLost) {
        int axis = next.x < next.y ? (next.x < next.z ? 0 : 2) : (next.y < next.z ? 1 : 2);
        float leaves = min(next[axis], params.reach);
        if (counts) {
            float passes = 1.0 - opacity_of(texelFetch(opacity, voxel, 0).r);
            left *= passes > 0.0 ? exp2((leaves - at) * log2(passes)) : (leaves > at ? 0.0 : 1.0);
        }
        counts = true;
        at = next[axis];
        next[axis] += per_voxel[axis];
        voxel[axis] += ahead[axis];
        if (ahead[axis] == 0) break; // along a plane: no way leads across it
    }
    return left;
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
    uint turn = uint(params.turn * random_numbers(index, params.seed, 0u).x * 4294967040.0);
    float sum = 0.0;
    float weights = 0.0;
    for (uint i = 0u; i < params.rays; ++i) {
        vec3 direction = direction_of(i, turn);
        float weight = whole ? 1.0 : max(dot(direction, normal), 0.0);
        if (kCover != 2u) weight = weight > 0.0 ? 1.0 : 0.0;
        if (!(weight > 0.0)) continue;
        weights += weight;
        sum += weight * through(voxel, direction);
    }
    imageStore(result, texel, vec4(weights > 0.0 ? sum / weights : 1.0));
}

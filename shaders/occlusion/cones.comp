#version 460
// How much of the surroundings of places in a volume is open, by a few wide cones. A cone is walked in
// steps that grow with its width, each looked up once in the level whose cells are as wide.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

layout(constant_id = 0) const uint kCover = 0u;  // 0: sphere, 1: hemisphere, 2: weighed by cosine
layout(constant_id = 1) const uint kFilter = 2u; // 1: linear in f32, 2: the device's own filter
layout(constant_id = 2) const uint kSkip = 0u;   // level that says where nothing is; 0: none does
layout(constant_id = 3) const uint has_numbers = 0u;
layout(constant_id = 4) const uint kColors = 0u; // 1: light that surroundings scatter is gathered
layout(constant_id = 5) const uint level_count = 1u;

const int kMaxSteps = 40; // as in passes/occlusion/cones.cpp
const int kMaxCones = 26;

uniform Params {
    ivec3 dims;
    ivec3 result_dims;
    vec3 spacing; // voxels from a place to the next
    uint cones;
    float strength; // exponent of the result
    float bounce;   // of scattered light
    vec4 directions[kMaxCones]; // unit length, and the cosine of half a cone's angle
    uvec4 walks[kMaxCones];     // of the steps: the first one, and how many
    vec4 steps[3 * kMaxSteps]; // voxels to the middle; cells in a voxel's edge; edges; level
    vec4 sizes[3 * kMaxSteps]; // of those levels, cells
} params;

uniform sampler3D opacity;
uniform sampler3D numbers;
uniform sampler3D color; // of voxels, times opacity, and opacity
// Cells of 2, 4, 8, ... voxels: opacity along x, y and z. Behind them means of colours over cells.
uniform sampler3D levels[level_count];
writeonly uniform image3D result;

// Between the middles of eight texels, in f32; beyond the volume nothing is. By a macro, for textures
// of arrays cannot be handed on with an index.
#define MIX_BETWEEN(volume, place, size, found)                                                    \
    {                                                                                              \
        ivec3 low = ivec3(floor(place));                                                           \
        vec3 share = (place) - vec3(low);                                                          \
        found = vec4(0.0);                                                                         \
        for (int i = 0; i < 8; ++i) {                                                              \
            ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);                                       \
            vec3 part = mix(1.0 - share, share, vec3(corner));                                     \
            if (!is_beyond(low + corner, ivec3(size)))                                             \
                found += part.x * part.y * part.z * texelFetch(volume, low + corner, 0);           \
        }                                                                                          \
    }

// The same by the device's sampler, of what is no color: llvmpipe loses the fourth number where the
// texture is one of an array.
#define SAMPLE_BETWEEN(volume, place, size, found)                                                 \
    if (kFilter == 2u)                                                                             \
        found =                                                                                    \
            textureLod(volume, ((place) + 0.5) / (size), 0.0) * inside_share(place, size);         \
    else                                                                                           \
        MIX_BETWEEN(volume, place, size, found)

vec3 normal_at(vec3 place) {
    ivec3 voxel = clamp(ivec3(floor(place + 0.5)), ivec3(0), params.dims - 1);
    vec3 change = has_numbers != 0u ? opacity_gradient(numbers, params.dims, voxel)
                                    : opacity_gradient(opacity, params.dims, voxel);
    float size = length(change);
    return size > 1e-4 ? -change / size : vec3(0.0);
}

float weight_of(vec4 cone, vec3 normal) {
    if (kCover == 0u || normal == vec3(0.0)) return 1.0;
    float cosine = dot(cone.xyz, normal);
    if (kCover == 2u) return max(cosine, 0.0);
    // About the share of it that is on the side of the normal.
    float spread = sqrt(1.0 - cone.w * cone.w);
    return clamp(0.5 + 0.5 * cosine / spread, 0.0, 1.0);
}

// What comes through to a place of what `left` is let in, and light from what is in between.
vec4 along(uint cone, vec3 place, float left) {
    const float kLost = 1e-5; // what still comes through where a cone may end
    vec3 light = vec3(0.0);
    vec3 direction = params.directions[cone].xyz;
    uvec2 walk = params.walks[cone].xy;
    // All invocations of a group take all steps of all cones, so that they agree on the level: some
    // devices choose a texture for all of them.
    for (uint i = walk.x; i < walk.x + walk.y; ++i) {
        vec4 at = params.steps[i];
        uint level = uint(at.w);
        vec3 there = (place + at.x * direction + 0.5) * at.y - 0.5;
        vec3 size = params.sizes[i].xyz;
        if (any(lessThan(there, vec3(-1.0))) || any(greaterThan(there, size)) || !(left > kLost))
            continue;
        vec4 found;
        if (level == 0u) {
            if (kFilter == 2u) {
                SAMPLE_BETWEEN(opacity, there, size, found)
            } else {
                found.r = opacity_between(opacity, params.dims, there);
            }
            found = found.rrrr;
        } else {
            SAMPLE_BETWEEN(levels[level - 1u], there, size, found)
        }
        float opaque = clamp(dot(found.xyz, direction * direction), 0.0, 1.0);
        float passes = opaque < 1.0 ? exp2(at.z * log2(1.0 - opaque)) : 0.0;
        if (kColors != 0u) {
            vec4 tint;
            if (level == 0u) {
                MIX_BETWEEN(color, there, size, tint)
            } else {
                MIX_BETWEEN(levels[level_count / 2u + level - 1u], there, size, tint)
            }
            if (tint.a > 0.0) light += left * (1.0 - passes) * tint.rgb / tint.a;
        }
        left *= passes;
    }
    return vec4(light, left);
}

bool is_empty(vec3 place) {
    vec4 found;
    vec3 there = (place + 0.5) / exp2(float(kSkip)) - 0.5;
    SAMPLE_BETWEEN(levels[kSkip - 1u], there, vec3(textureSize(levels[kSkip - 1u], 0)), found)
    return found.x + found.y + found.z <= 0.0;
}

shared uint works; // any invocation of the group

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    vec3 place = (vec3(texel) + 0.5) * params.spacing - 0.5;
    bool inside = all(lessThan(texel, params.result_dims));
    bool empty = false;
    if (kSkip > 0u) {
        if (gl_LocalInvocationIndex == 0u) works = 0u;
        barrier();
        empty = is_empty(place);
        if (inside && !empty) atomicOr(works, 1u);
        barrier();
        if (works == 0u) {
            if (inside) imageStore(result, texel, vec4(1.0));
            return;
        }
    }
    vec3 normal = kCover != 0u ? normal_at(place) : vec3(0.0);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (uint i = 0u; i < params.cones; ++i) {
        float weight = inside && !empty ? weight_of(params.directions[i], normal) : 0.0;
        weights += weight;
        sum += weight * along(i, place, weight > 0.0 ? 1.0 : 0.0);
    }
    if (!inside) return;
    sum = weights > 0.0 ? sum / weights : vec4(vec3(0.0), 1.0);
    float open = sum.a;
    if (params.strength != 1.0) open = open > 0.0 ? pow(open, params.strength) : 0.0;
    if (kColors != 0u)
        imageStore(result, texel, vec4(open + params.bounce * sum.rgb, open));
    else
        imageStore(result, texel, vec4(kept(min(open, 1.0))));
}

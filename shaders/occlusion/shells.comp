#version 460
// What comes through all shells around a voxel, of levels of means of cubes that are there at once.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

layout(constant_id = 0) const uint kOwn = 0u;     // 1: the voxel itself counts
layout(constant_id = 1) const uint kFilter = 1u;  // 1: linear in f32, 2: the device's own filter
layout(constant_id = 3) const uint kShifted = 0u; // 1: cubes lie before the voxel, not around it
layout(constant_id = 4) const uint has_numbers = 0u; // normals are theirs, not the opacity's
layout(constant_id = 5) const uint level_count = 1u;

const int kMaxLevels = 11; // as in levels.hpp

uniform Params {
    ivec3 dims;
    uint shells;
    float normal;   // what gradients are multiplied by
    float strength; // exponent of the result
    float growth;   // of shells' exponents, from one to the next
    ivec4 level_dims[kMaxLevels];
    // Of the level's texels, in them, from the middle of the volume's first voxel; voxels of an edge.
    vec4 begin[kMaxLevels];
} params;

uniform sampler3D opacity;
uniform sampler3D numbers;
uniform sampler3D levels[level_count];
writeonly uniform image3D result;

// From where opacity is to where it is not; at most 1 long.
vec3 shift_of(ivec3 voxel) {
    if (kShifted == 0u) return vec3(0.0);
    vec3 change = has_numbers != 0u ? opacity_gradient(numbers, params.dims, voxel)
                                    : opacity_gradient(opacity, params.dims, voxel);
    vec3 shift = -params.normal * change;
    return shift / max(length(shift), 1.0);
}

float level_mean(ivec3 voxel, vec3 shift, uint level) {
    vec4 begin = params.begin[level - 1u];
    ivec3 dims = params.level_dims[level - 1u].xyz;
    vec3 place = (vec3(voxel) + 0.5 * exp2(float(level)) * shift) / begin.w - begin.xyz;
    if (kFilter == 2u)
        return textureLod(levels[level - 1u], (place + 0.5) / vec3(dims), 0.0).r *
               (kClamps != 0u ? 1.0 : inside_share(place, vec3(dims)));
    vec3 near = clamp(place, vec3(-2.0), vec3(dims) + 1.0);
    ivec3 low = ivec3(floor(near));
    vec3 share = near - vec3(low);
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(corner));
        float weight = part.x * part.y * part.z;
        ivec3 texel = low + corner;
        if (kClamps != 0u) texel = clamp(texel, ivec3(0), dims - 1);
        if (weight > 0.0 && !is_beyond(texel, dims))
            sum += weight * texelFetch(levels[level - 1u], texel, 0).r;
    }
    return sum;
}

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(voxel, params.dims))) return;
    vec3 shift = shift_of(voxel);
    float own = opacity_at(opacity, params.dims, voxel);
    float open = kOwn != 0u ? 1.0 - own : 1.0;
    float inner = own;
    float exponent = 1.0;
    if (kShifted != 0u)
        inner = opacity_between(opacity, params.dims, vec3(voxel) + 0.5 * shift);
    for (uint level = 1u; level <= params.shells; ++level) {
        float mean = level_mean(voxel, shift, level);
        // (8 * mean - inner) / 7, so that even opacity is kept to the bit. Means are rounded, and those
        // of mips are not of nested cubes: it may be beyond.
        float shell = clamp(mean + (mean - inner) * (1.0 / 7.0), 0.0, 1.0);
        open *= passes_shell(shell, exponent);
        exponent *= params.growth;
        inner = mean;
    }
    if (params.strength != 1.0) open = open > 0.0 ? pow(open, params.strength) : 0.0;
    imageStore(result, voxel, vec4(kept(open)));
}

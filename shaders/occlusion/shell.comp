#version 460
// Multiplies what comes through the shells so far by what comes through the next one: what a cube
// has beyond the cube of half its width. The first shell is around the voxel itself.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

layout(constant_id = 0) const uint kOwn = 0u;     // 1: the voxel itself counts
layout(constant_id = 2) const uint kLast = 0u;    // 1: writes the result
layout(constant_id = 3) const uint kShifted = 0u; // 1: cubes lie before the voxel, not around it
layout(constant_id = 4) const uint has_numbers = 0u; // normals are theirs, not the opacity's
layout(constant_id = 5) const uint has_state = 0u;   // 0: the first shell

uniform Params {
    ivec3 dims;
    ivec3 level_dims;
    vec3 begin;      // of the level's texels, in them, from the middle of the volume's first voxel
    float scale;     // edge of the level's texels, in voxels
    float half_width; // of its cubes, in voxels
    float normal;    // what gradients are multiplied by
    float strength;  // exponent of the result
    float exponent;  // of the shell
} params;

uniform sampler3D opacity;
uniform sampler3D numbers;
uniform sampler3D level;
uniform sampler3D state; // what came through, and the mean over the last cube
writeonly uniform image3D result;

// From where opacity is to where it is not; at most 1 long.
vec3 shift_of(ivec3 voxel) {
    if (kShifted == 0u) return vec3(0.0);
    vec3 change = has_numbers != 0u ? opacity_gradient(numbers, params.dims, voxel)
                                    : opacity_gradient(opacity, params.dims, voxel);
    vec3 shift = -params.normal * change;
    return shift / max(length(shift), 1.0);
}

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(voxel, params.dims))) return;
    vec3 shift = shift_of(voxel);
    vec2 before;
    if (has_state != 0u) {
        before = texelFetch(state, voxel, 0).rg;
    } else {
        float own = opacity_at(opacity, params.dims, voxel);
        before.x = kOwn != 0u ? 1.0 - own : 1.0;
        before.y = kShifted == 0u ? own
                                  : opacity_between(opacity, params.dims, vec3(voxel) + 0.5 * shift);
    }
    vec3 place = (vec3(voxel) + params.half_width * shift) / params.scale - params.begin;
    float mean = opacity_between(level, params.level_dims, place);
    // (8 * mean - before) / 7, so that even opacity is kept to the bit. Means are rounded, and those
    // of mips are not of nested cubes: it may be beyond.
    float shell = clamp(mean + (mean - before.y) / 7.0, 0.0, 1.0);
    before = vec2(before.x * passes_shell(shell, params.exponent), mean);
    if (kLast == 0u) {
        imageStore(result, voxel, vec4(before, 0.0, 0.0));
        return;
    }
    float open = before.x;
    if (params.strength != 1.0) open = open > 0.0 ? pow(open, params.strength) : 0.0;
    imageStore(result, voxel, vec4(kept(open)));
}

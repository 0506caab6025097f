#version 460
// What comes through all shells around each voxel, of a summed volume, from which the mean of any cube
// follows: cubes of 2^l + 1 voxels, symmetric about a voxel. An invocation has four voxels along x,
// whose sums it loads four at a time; where cubes are moved, each has its own.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "opacities.glsl"

layout(constant_id = 0) const uint kOwn = 0u;     // 1: the voxel itself counts
layout(constant_id = 1) const uint kShifted = 0u; // 1: cubes lie before the voxel, not around it
layout(constant_id = 2) const uint has_numbers = 0u; // normals are theirs, not the opacity's

uniform Params {
    ivec3 dims;
    ivec3 sum_dims; // vectors of four, rows, slices
    uint shells;
    float normal;   // what gradients are multiplied by
    float strength; // exponent of the result
    float growth;   // of shells' exponents, from one to the next
    int margin;     // voxels of the summed volume before the first one of the volume
    float unit;     // of the summed volume, for an opacity of 1
} params;

uniform sampler3D opacity;
uniform sampler3D numbers;
readonly buffer Sums { uvec4 values[]; } sums; // of all voxels up to each one along x, y and z
writeonly uniform image3D result;

// From where opacity is to where it is not; at most 1 long.
vec3 shift_of(ivec3 voxel) {
    vec3 change = has_numbers != 0u ? opacity_gradient(numbers, params.dims, voxel)
                                    : opacity_gradient(opacity, params.dims, voxel);
    vec3 shift = -params.normal * change;
    return shift / max(length(shift), 1.0);
}

// Four sums of a row, whose first vector is `first`: nothing before it, and the last sum beyond.
uvec4 four_at(int first, int vector) {
    if (vector < 0) return uvec4(0u);
    if (vector >= params.sum_dims.x) return sums.values[first + params.sum_dims.x - 1].wwww;
    return sums.values[first + vector];
}

// From any place on.
uvec4 four_from(int first, int x) {
    uvec4 a = four_at(first, x >> 2);
    int aside = x & 3;
    if (aside == 0) return a;
    uvec4 b = four_at(first, (x >> 2) + 1);
    if (aside == 1) return uvec4(a.yzw, b.x);
    return aside == 2 ? uvec4(a.zw, b.xy) : uvec4(a.w, b.xyz);
}

// Over the cubes about four voxels. Modulo 2^32, which the differences of sums do not mind that fit in.
uvec4 four_cubes(ivec3 voxel, int half_width) {
    ivec3 low = voxel + params.margin - half_width - 1;
    ivec3 high = voxel + params.margin + half_width;
    uvec4 sum = uvec4(0u);
    for (int i = 0; i < 4; ++i) {
        ivec2 row = min(ivec2(i % 2 == 0 ? low.y : high.y, i / 2 == 0 ? low.z : high.z),
                        params.sum_dims.yz - 1);
        if (row.x < 0 || row.y < 0) continue;
        int first = (row.y * params.sum_dims.y + row.x) * params.sum_dims.x;
        uvec4 part = four_from(first, high.x) - four_from(first, low.x);
        sum += i == 0 || i == 3 ? part : 0u - part;
    }
    return sum;
}

uint sum_up_to(ivec3 texel) {
    texel = min(texel, params.sum_dims * ivec3(4, 1, 1) - 1);
    if (any(lessThan(texel, ivec3(0)))) return 0u;
    int first = (texel.z * params.sum_dims.y + texel.y) * params.sum_dims.x;
    return sums.values[first + texel.x / 4][texel.x % 4];
}

// Over a cube that is moved by whole voxels.
uint moved_cube(ivec3 voxel, vec3 shift, int half_width) {
    ivec3 middle = voxel + ivec3(floor(float(half_width) * shift + 0.5)) + params.margin;
    ivec3 low = middle - half_width - 1;
    ivec3 high = middle + half_width;
    uint sum = 0u;
    for (int i = 0; i < 8; ++i) {
        bvec3 upper = bvec3(i & 1, i & 2, i & 4);
        uint part = sum_up_to(mix(low, high, upper));
        bool counts_up = (int(upper.x) + int(upper.y) + int(upper.z)) % 2 != 0;
        sum += counts_up ? part : 0u - part;
    }
    return sum;
}

void main() {
    uint index = invocation_index();
    uint fours = uint(params.dims.x + 3) / 4u;
    uint row = index / fours;
    ivec3 voxel = ivec3(index % fours * 4u, row % uint(params.dims.y), row / uint(params.dims.y));
    if (voxel.z >= params.dims.z) return;
    vec4 inner;
    vec3 shifts[4];
    for (int k = 0; k < 4; ++k) {
        ivec3 own = voxel + ivec3(k, 0, 0);
        inner[k] = opacity_at(opacity, params.dims, own);
        shifts[k] = kShifted != 0u ? shift_of(own) : vec3(0.0);
    }
    vec4 open = kOwn != 0u ? 1.0 - inner : vec4(1.0);
    float exponent = 1.0;
    float before = 1.0; // voxels of the cube within
    for (uint level = 1u; level <= params.shells; ++level) {
        int half_width = 1 << (level - 1u);
        uvec4 sum;
        if (kShifted != 0u)
            for (int k = 0; k < 4; ++k)
                sum[k] = moved_cube(voxel + ivec3(k, 0, 0), shifts[k], half_width);
        else
            sum = four_cubes(voxel, half_width);
        float width = float(2 * half_width + 1);
        float voxels = width * width * width;
        vec4 mean = vec4(sum) / (params.unit * voxels);
        // (outer - r * inner) / (1 - r), where r is the ratio of both cubes, so that even opacity is
        // kept to the bit.
        float ratio = before / voxels;
        vec4 shell = clamp(mean + (mean - inner) * (ratio / (1.0 - ratio)), 0.0, 1.0);
        for (int k = 0; k < 4; ++k)
            open[k] *= passes_shell(shell[k], exponent);
        exponent *= params.growth;
        inner = mean;
        before = voxels;
    }
    for (int k = 0; k < 4 && voxel.x + k < params.dims.x; ++k) {
        float through = open[k];
        if (params.strength != 1.0) through = through > 0.0 ? pow(through, params.strength) : 0.0;
        imageStore(result, voxel + ivec3(k, 0, 0), vec4(kept(through)));
    }
}

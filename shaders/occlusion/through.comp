#version 460
// How opaque cells of two, four and eight texels are along x, y and z. Through a cell of two by two
// by two texels lead four ways, of two texels each: what comes through a way is the product of what
// comes through both, and what comes through the cell is the mean of the four. A thin wall so stays
// as opaque as it is from the front, and from the side lets through what passes beside it.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

layout(constant_id = 0) const uint kFirst = 1u; // 1: the source has one number for all axes

uniform Params {
    ivec3 dims; // of the source
    uint levels; // that are written: 1 to 3
} params;

uniform sampler3D source;
writeonly uniform image3D half_size;
writeonly uniform image3D quarter_size;
writeonly uniform image3D eighth_size;

// Through the texels of the last level.
shared vec3 passing[4][8][8];

vec3 through_texel(ivec3 texel) {
    if (is_beyond(texel, params.dims)) return vec3(1.0);
    vec3 opacity = texelFetch(source, texel, 0).rgb;
    return kFirst != 0u ? vec3(1.0 - opacity_of(opacity.r)) : 1.0 - opacity;
}

// Of the cell whose texels are `t`, x fastest.
vec3 through_cell(vec3 t[8]) {
    float x = t[0].x * t[1].x + t[2].x * t[3].x + t[4].x * t[5].x + t[6].x * t[7].x;
    float y = t[0].y * t[2].y + t[1].y * t[3].y + t[4].y * t[6].y + t[5].y * t[7].y;
    float z = t[0].z * t[4].z + t[1].z * t[5].z + t[2].z * t[6].z + t[3].z * t[7].z;
    return 0.25 * vec3(x, y, z);
}

vec4 stored(vec3 through) {
    return half_numbers(vec4(1.0 - through, 1.0));
}

void main() {
    ivec3 local = ivec3(gl_LocalInvocationID);
    ivec3 group = ivec3(gl_WorkGroupID);
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    vec3 t[8];
    for (int i = 0; i < 8; ++i)
        t[i] = through_texel(2 * cell + ivec3(i & 1, i >> 1 & 1, i >> 2));
    vec3 through = through_cell(t);
    if (!is_beyond(cell, imageSize(half_size))) imageStore(half_size, cell, stored(through));
    passing[local.z][local.y][local.x] = through;
    barrier();
    bool inner = params.levels > 1u && all(lessThan(local, ivec3(4, 4, 2)));
    if (inner) {
        for (int i = 0; i < 8; ++i) {
            ivec3 at = 2 * local + ivec3(i & 1, i >> 1 & 1, i >> 2);
            t[i] = passing[at.z][at.y][at.x];
        }
        through = through_cell(t);
        cell = group * ivec3(4, 4, 2) + local;
        if (!is_beyond(cell, imageSize(quarter_size)))
            imageStore(quarter_size, cell, stored(through));
    }
    barrier();
    if (inner) passing[local.z][local.y][local.x] = through;
    barrier();
    if (params.levels > 2u && all(lessThan(local, ivec3(2, 2, 1)))) {
        for (int i = 0; i < 8; ++i) {
            ivec3 at = 2 * local + ivec3(i & 1, i >> 1 & 1, i >> 2);
            t[i] = passing[at.z][at.y][at.x];
        }
        cell = group * ivec3(2, 2, 1) + local;
        if (!is_beyond(cell, imageSize(eighth_size)))
            imageStore(eighth_size, cell, stored(through_cell(t)));
    }
}

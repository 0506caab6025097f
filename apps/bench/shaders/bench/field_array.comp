#version 460
// As bench/field_image, of complex numbers in an array without a halo.
layout(local_size_x = 256) in;

writeonly buffer Result { vec2 values[]; } result;

uniform Params {
    ivec3 part; // cells of the array
    ivec3 first;
    ivec3 cells;
} params;

#include "field.glsl"

void main() {
    uvec3 part = uvec3(params.part);
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < part.x * part.y * part.z; i += stride) {
        ivec3 cell = ivec3(i % part.x, i / part.x % part.y, i / (part.x * part.y)) + params.first;
        result.values[i] = vec2(field_number(cell, params.cells),
                                field_number(cell + params.cells / 2, params.cells));
    }
}

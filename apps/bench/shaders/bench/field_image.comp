#version 460
//! variants VOLUME=0,1
// A rank's part of a field of numbers that have no order: of each cell by its place in the field.
layout(local_size_x = 8, local_size_y = 8) in;

#if VOLUME
uniform writeonly image3D result;
#else
uniform writeonly image2D result;
#endif

uniform Params {
    ivec3 texels; // with the halo
    ivec3 first;  // cell of the lowest texel
    ivec3 cells;  // of the whole field, whose ends meet
} params;

#include "field.glsl"

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.texels))) return;
    vec4 value = vec4(field_number(texel + params.first, params.cells));
#if VOLUME
    imageStore(result, texel, value);
#else
    imageStore(result, texel.xy, value);
#endif
}

#version 460
// What a summed-area table is made of: a picture or a volume less its mean, or as whole numbers.
//! variants VOLUME=0,1 INTEGERS=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#else
layout(local_size_x = 16, local_size_y = 16) in;
#endif

// What a summed-area table sums: the texels less their mean, or as whole numbers. Define what
// summed_area_shape.glsl asks for.
#include "primitives/summed_area_shape.glsl"
#include "summed_area_value.glsl"

uniform PICTURE source;
uniform writeonly SUMS_WRITTEN result;

uniform Params {
    float levels; // INTEGERS: a texel of 1 counts as many
} params;

void main() {
    PLACE texel = PLACE(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, to_texel(to_value(texelFetch(source, texel, 0), params.levels)));
}

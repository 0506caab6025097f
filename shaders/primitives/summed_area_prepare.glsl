// What a summed-area table sums: the texels less their mean, or as whole numbers. Define what
// summed_area_shape.glsl asks for.
#include "primitives/summed_area_shape.glsl"
#include "summed_area_value.glsl"

uniform PICTURE source;
uniform writeonly SUMS_WRITTEN result;

uniform Params {
    float levels; // SUM_INTEGERS: a texel of 1 counts as many
} params;

void main() {
    PLACE texel = PLACE(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, to_texel(to_value(texelFetch(source, texel, 0), params.levels)));
}

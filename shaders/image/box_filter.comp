#version 460
// Box filter of a picture by a summed-area table of floats, or of whole numbers.
//! variants INTEGERS=0,1

// The mean over a box around each texel, by four lookups in a summed-area table. Define
// INTEGERS or not.
layout(local_size_x = 16, local_size_y = 16) in;

#include "summed_area.glsl"
#include "primitives/summed_area_shape.glsl"

uniform SUMS sums;
readonly buffer Mean { vec4 value; } mean; // that was taken from every texel
uniform writeonly image2D result;

uniform Params {
    ivec2 origin;
    ivec2 radius;
    float levels; // INTEGERS: what a texel of 1 counts as
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    ivec2 low = max(texel - params.radius, ivec2(0));
    ivec2 high = min(texel + params.radius + 1, size);
    float area = float(high.x - low.x) * float(high.y - low.y);
    vec4 sum = vec4(box_sum(sums, low, high, params.origin));
    imageStore(result, texel, sum / (area * params.levels) + mean.value);
}

#version 460
// A doubling pass over a picture or a volume.
//! variants VOLUME=0,1 INTEGERS=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#else
layout(local_size_x = 16, local_size_y = 16) in;
#endif

// One pass of a summed-area table by recursive doubling: each texel adds up `reads` texels, `stride`
// apart, of the pass before, on its own side of the origin. Define what summed_area_shape.glsl asks
// for.
#include "primitives/summed_area_shape.glsl"

uniform SUMS source;
uniform writeonly SUMS_WRITTEN result;

uniform Params {
    int axis;
    int origin; // along the axis
    int stride;
    int reads;
} params;

void main() {
    PLACE texel = PLACE(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    int place = texel[params.axis];
    bool after = place >= params.origin;
    // Texels between this one and the origin.
    int between = after ? place - params.origin : params.origin - 1 - place;
    TEXEL sum = texelFetch(source, texel, 0);
    for (int i = 1; i < params.reads && i * params.stride <= between; ++i) {
        PLACE other = texel;
        other[params.axis] += after ? -i * params.stride : i * params.stride;
        sum += texelFetch(source, other, 0);
    }
    imageStore(result, texel, sum);
}

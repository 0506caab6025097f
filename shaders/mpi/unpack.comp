#version 460
//! variants VOLUME=0,1
// The other way round from mpi/pack: writes texels from a buffer into boxes of an image, and leaves
// the rest of the image.
layout(local_size_x = 64) in;

#include "boxes.glsl"
#include "invocation.glsl"

readonly buffer Texels { uint words[]; } texels;
#if VOLUME
uniform writeonly image3D result;
#else
uniform writeonly image2D result;
#endif

uniform Params {
    uint boxes;
    uint texels;   // of all boxes
    uint channels; // of a texel
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.texels) return;
    vec4 value = vec4(0.0, 0.0, 0.0, 1.0);
    for (uint c = 0; c < params.channels; ++c)
        value[c] = uintBitsToFloat(texels.words[params.channels * index + c]);
    ivec3 texel = texel_in_boxes(index, params.boxes);
#if VOLUME
    imageStore(result, texel, value);
#else
    imageStore(result, texel.xy, value);
#endif
}

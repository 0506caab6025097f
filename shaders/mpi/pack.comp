#version 460
//! variants VOLUME=0,1
// Writes the texels of some boxes of an image into a buffer, box by box, a word for each channel.
layout(local_size_x = 64) in;

#include "boxes.glsl"
#include "invocation.glsl"

#if VOLUME
uniform sampler3D source;
#else
uniform sampler2D source;
#endif
writeonly buffer Texels { uint words[]; } texels;

uniform Params {
    uint boxes;
    uint texels;   // of all boxes
    uint channels; // of a texel
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.texels) return;
    ivec3 texel = texel_in_boxes(index, params.boxes);
#if VOLUME
    vec4 value = texelFetch(source, texel, 0);
#else
    vec4 value = texelFetch(source, texel.xy, 0);
#endif
    for (uint c = 0; c < params.channels; ++c)
        texels.words[params.channels * index + c] = floatBitsToUint(value[c]);
}

#version 460
//! variants VOLUME=0,1
// Looks for texels of one mip level, of all its layers, that are not finite. The index of a number
// is four times that of its texel, among those from `first` on, and the channel.
#include "not_finite.glsl"

layout(local_size_x = 256) in;

#if VOLUME
uniform sampler3D source;
#else
uniform sampler2DArray source;
#endif

uniform Params {
    uint check;    // among those of the graph
    uint first;    // texel
    uint count;    // texels, at most 2^30
    uint channels; // of a texel
} params;

void main() {
    uvec2 size = uvec2(textureSize(source, 0).xy);
    Findings findings = nothing_found();
    uint step_size = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < params.count; i += step_size) {
        uint texel = params.first + i;
        uint row = texel / size.x;
        vec4 value = texelFetch(source, ivec3(texel % size.x, row % size.y, row / size.y), 0);
        for (uint c = 0; c < params.channels; ++c)
            findings = with_float(findings, 4 * i + c, floatBitsToUint(value[c]));
    }
    report(params.check, findings);
}

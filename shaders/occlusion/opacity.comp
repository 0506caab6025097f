#version 460
// The opacity of each texel of a volume under a transfer function, or its colour, too.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "transfer_points.glsl"
#include "volume_texels.glsl"
#include "opacities.glsl"

layout(constant_id = 0) const uint kColors = 0u; // 1: colours times opacity, and opacity

const int kTexels = 4; // of an invocation, along z

uniform Params {
    ivec3 dims;
    float lengths; // of a texel's edge: those for which opacities are given
    TransferPoints points;
} params;

writeonly uniform image3D result;

void main() {
    uint point = gl_LocalInvocationIndex; // there are at least as many as points
    if (point < params.points.count)
        keep_transfer_point(point, params.points.color[point], params.points.number[point].x);
    barrier();
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    texel.z = kTexels * int(gl_WorkGroupID.z * gl_WorkGroupSize.z) + int(gl_LocalInvocationID.z);
    for (int i = 0; i < kTexels; ++i, texel.z += int(gl_WorkGroupSize.z)) {
        if (is_beyond(texel, params.dims)) break;
        float number = fetch(texel);
        vec4 found = is_number(number) ? transfer_at(params.points.count, number) : vec4(0.0);
        float opacity = opacity_of(found.a);
        if (params.lengths != 1.0)
            opacity = opacity < 1.0 ? 1.0 - pow(1.0 - opacity, params.lengths) : 1.0;
        imageStore(result, texel,
                   kColors != 0u ? half_numbers(vec4(opacity * found.rgb, opacity))
                                 : vec4(kept(opacity)));
    }
}

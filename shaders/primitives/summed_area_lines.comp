#version 460
// Sums along the lines of a volume.
//! variants VOLUME=1 INTEGERS=0,1

// Sums along all lines of a volume that run along `axis`, from the origin outwards. An invocation
// takes half a line. Define VOLUME, and what else summed_area_shape.glsl asks for.
#include "primitives/summed_area_shape.glsl"

layout(local_size_x = 64) in;

uniform SUMS source;
uniform writeonly SUMS_WRITTEN result;

uniform Params {
    int axis;
    int origin; // along the axis
} params;

void main() {
    ivec3 size = imageSize(result);
    // The other axes, x first so that neighbouring invocations read neighbours where they can.
    int across = params.axis == 0 ? 1 : 0;
    int down = params.axis == 2 ? 1 : 2;
    ivec3 texel;
    texel[across] = int(gl_GlobalInvocationID.x);
    texel[down] = int(gl_GlobalInvocationID.y);
    if (texel[across] >= size[across]) return;
    bool after = gl_GlobalInvocationID.z == 0u;
    int count = after ? size[params.axis] - params.origin : params.origin;
    TEXEL sum = TEXEL(0);
    for (int i = 0; i < count; ++i) {
        texel[params.axis] = after ? params.origin + i : params.origin - 1 - i;
        sum += texelFetch(source, texel, 0);
        imageStore(result, texel, sum);
    }
}

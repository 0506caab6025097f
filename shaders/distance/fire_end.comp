#version 460
// The field is the image that the last pass wrote; the status says how the loop ended.

layout(local_size_x = 16, local_size_y = 16) in;

#include "status.glsl"

uniform usampler2D even;
uniform usampler2D odd;
readonly buffer Iterations { uint count; } iterations;
readonly buffer Cut { uint flag; } cut;
uniform writeonly uimage2D field;

uniform Params {
    uint unreached;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    uint value = iterations.count % 2u == 0u ? texelFetch(even, texel, 0).r
                                             : texelFetch(odd, texel, 0).r;
    imageStore(field, texel, uvec4(value));
    if (value == params.unreached && status.objects != 0u) atomicOr(status.codes, kUnfinished);
    if (texel != ivec2(0)) return;
    status.passes = iterations.count;
    if (cut.flag != 0u) atomicOr(status.codes, kFlattened);
}

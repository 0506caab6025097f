#version 460
// The mean over a box around each texel of a volume, by eight lookups in a summed-area table.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "summed_area_3d.glsl"

uniform sampler3D sums;
readonly buffer Mean { vec4 value; } mean; // that was taken from every texel
uniform writeonly image3D result;

uniform Params {
    ivec3 origin;
    ivec3 radius;
} params;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    ivec3 low = max(texel - params.radius, ivec3(0));
    ivec3 high = min(texel + params.radius + 1, size);
    vec3 sides = vec3(high - low);
    vec4 sum = box_sum(sums, low, high, params.origin);
    imageStore(result, texel, sum / (sides.x * sides.y * sides.z) + mean.value);
}

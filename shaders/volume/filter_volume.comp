#version 460
// The numbers of a volume, filtered.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "volume_sampling.glsl"

uniform Params { ivec3 dims; } params;

writeonly uniform image3D result;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.dims))) return;
    imageStore(result, texel, vec4(number_at(params.dims, vec3(texel))));
}

#version 460
// Opacities from 0 to 1 that a sampler may mix: no number that is none spoils those beside it.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

uniform Params {
    ivec3 dims;
} params;

uniform sampler3D source;
writeonly uniform image3D result;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, params.dims))) return;
    imageStore(result, texel, vec4(kept(opacity_at(source, params.dims, texel))));
}

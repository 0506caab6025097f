#version 460
// Colours of cells twice as wide: the means of eight.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

uniform Params {
    ivec3 dims; // of the source
    ivec3 level_dims;
} params;

uniform sampler3D source;
writeonly uniform image3D result;

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.level_dims))) return;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 8; ++i) {
        ivec3 texel = 2 * cell + ivec3(i & 1, i >> 1 & 1, i >> 2);
        if (!is_beyond(texel, params.dims)) sum += texelFetch(source, texel, 0);
    }
    imageStore(result, cell, half_numbers(0.125 * sum));
}

#version 460
// The next level of a cube of radiance: the mean of 2x2 texels, weighted by their solid angles.

layout(local_size_x = 8, local_size_y = 8) in;

#include "scene/environment.glsl"

uniform sampler2DArray finer;
uniform writeonly image2DArray coarser;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel.xy, imageSize(coarser).xy))) return;

    int side = textureSize(finer, 0).x;
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
            ivec2 child = 2 * texel.xy + ivec2(i, j);
            float weight = cube_solid_angle(cube_texel_centre(child, side), 1.0);
            sum += weight * texelFetch(finer, ivec3(child, texel.z), 0).rgb;
            weights += weight;
        }
    imageStore(coarser, texel, vec4(sum / weights, 1.0));
}

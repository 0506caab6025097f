#version 460
// One level of a prefiltered cube: radiance averaged over the lobe of a rough mirror, weighted by
// the cosine to its normal (Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013 courses).

layout(local_size_x = 8, local_size_y = 8) in;

#include "scene/environment.glsl"
#include "scene/ggx.glsl"

uniform samplerCube radiance;
readonly buffer Lobe {
    vec4 samples[]; // see environment_lobe.comp
} lobe;
uniform writeonly image2DArray prefiltered;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    int side = imageSize(prefiltered).x;
    if (any(greaterThanEqual(texel.xy, ivec2(side)))) return;

    vec3 normal = normalize(cube_direction(texel.z, cube_texel_centre(texel.xy, side)));
    mat3 frame = frame_about(normal);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = 0; i < lobe.samples.length(); ++i) {
        vec4 light = lobe.samples[i];
        vec3 direction = vec3(light.xy, sqrt(max(1.0 - dot(light.xy, light.xy), 0.0)));
        sum += light.z * cube_radiance(radiance, frame * direction, light.w);
        weights += light.z;
    }
    imageStore(prefiltered, texel, vec4(sum / weights, 1.0));
}

#version 460
// What a white Lambertian surface and a mirror of some roughness show, by normal.
layout(local_size_x = 64) in;

#include "../../../../shaders/include/scene/environment.glsl"

uniform samplerCube specular;
uniform sampler2D panorama;
readonly buffer Irradiance {
    vec4 coefficients[9];
} irradiance;
readonly buffer Normals {
    vec4 values[]; // w: roughness
} normals;
writeonly buffer Looks {
    vec4 values[]; // diffuse, specular and background of each normal
} looks;

uniform Params {
    float rotation; // degrees
} params;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= normals.values.length()) return;
    const vec3 normal = environment_direction(normals.values[i].xyz, params.rotation);
    looks.values[3 * i] = vec4(environment_diffuse(normal, irradiance.coefficients), 1.0);
    const float roughness = normals.values[i].w;
    looks.values[3 * i + 1] = vec4(environment_specular(specular, normal, roughness), 1.0);
    looks.values[3 * i + 2] = vec4(environment_background(panorama, normal), 1.0);
}

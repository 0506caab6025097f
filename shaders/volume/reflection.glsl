// What the surface of a medium reflects towards the eye. Declare in `Params`: uint reflects and
// environment_lit, float environment_rotation, vec3 environment_scale. C++: `set_reflections`.

#include "scene/environment.glsl"

uniform samplerCube environment_map;

// Along a ray of this direction; `normal` of any length but 0, `facing_reflectance` of the surface
// seen along it.
vec3 reflected_radiance(vec3 direction, vec3 normal, float facing_reflectance) {
    if (params.reflects == 0u || !(facing_reflectance > 0.0)) return vec3(0.0);
    vec3 facing = normalize(dot(normal, direction) > 0.0 ? -normal : normal);
    float cosine = clamp(-dot(facing, direction), 0.0, 1.0);
    float fresnel = mix(pow(1.0 - cosine, 5.0), 1.0, facing_reflectance);
    vec3 towards = environment_direction(reflect(direction, facing), params.environment_rotation);
    vec3 radiance = params.environment_scale;
    if (params.environment_lit != 0u) radiance *= cube_radiance(environment_map, towards, 0.0);
    return fresnel * radiance;
}

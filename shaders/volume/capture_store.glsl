// Writes a fragment. Include volume/capture_fragment.glsl before.

#include "fragment_lists.glsl"
#include "scene/environment.glsl"

buffer Counts { uint values[]; } counts; // fragments of each pixel that are not written yet
readonly buffer Heads { uint values[]; } heads;
writeonly buffer Fragments { uint words[]; } fragments;
uniform samplerCube environment_map;

uint reflected(vec3 direction) {
    float facing_reflectance = params.extinction[medium].w;
    if (params.reflects == 0u || !(facing_reflectance > 0.0)) return 0u;
    vec3 facing = normalize(dot(normal, direction) > 0.0 ? -normal : normal);
    float cosine = clamp(-dot(facing, direction), 0.0, 1.0);
    float fresnel = mix(pow(1.0 - cosine, 5.0), 1.0, facing_reflectance);
    vec3 towards = environment_direction(reflect(direction, facing), params.environment_rotation);
    vec3 radiance = params.environment_scale;
    if (params.environment_lit != 0u) radiance *= cube_radiance(environment_map, towards, 0.0);
    return pack_shared(fresnel * radiance);
}

void store_fragment(float distance, vec3 direction) {
    uint pixel = pixel_number();
    uint left = atomicAdd(counts.values[pixel], 0xffffffffu);
    uint first = heads.values[pixel];
    uint at = place_of_fragment(first, left);
    // Should more be drawn than were counted, none of them lies among its neighbour's.
    if (left - 1u >= heads.values[pixel + 1u] - first || at >= params.fragment_room) return;
    at *= kFaceWords;
    fragments.words[at] = floatBitsToUint(distance);
    fragments.words[at + 1u] = 2u * medium + (gl_FrontFacing ? 0u : 1u);
    fragments.words[at + 2u] = reflected(direction);
}

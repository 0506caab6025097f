#version 460
//! variants VOLUME=0,1
// The other way round from mpi/poisson_load, into an image whose halo stays: less the solution's
// mean where nothing fixes it, and 0 for bad input.
layout(local_size_x = 32, local_size_y = 8) in;

#if VOLUME
uniform writeonly image3D result;
#else
uniform writeonly image2D result;
#endif

uniform Params {
#include "part_params.glsl"
    ivec3 image_halo; // texels
    uint has_status;  // 0: nothing is taken off
} params;

readonly buffer Source { float values[]; } source;

#include "solver/finished.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.halo)) ||
        any(greaterThanEqual(place, params.size - params.halo)))
        return;
    float value = source.values[place.x + params.size.x * (place.y + params.size.y * place.z)];
    if (params.has_status != 0u) value = is_bad() ? 0.0 : value - mean_to_take_off();
    ivec3 texel = place - params.halo + params.image_halo;
#if VOLUME
    imageStore(result, texel, vec4(value, 0.0, 0.0, 1.0));
#else
    imageStore(result, texel.xy, vec4(value, 0.0, 0.0, 1.0));
#endif
}

#version 460
//! variants FORM=0,1,2
// The other way round from mpi/poisson_load, into what has a halo that stays: less the solution's
// mean where nothing fixes it, and 0 for bad input. Where kinds of cells are connected, the mean is
// that of unknown ones.
layout(local_size_x = 32, local_size_y = 8) in;

#if FORM == 0
uniform writeonly image2D result;
#elif FORM == 1
uniform writeonly image3D result;
#else
writeonly buffer Result { float values[]; } result;
#endif

uniform Params {
#include "part_params.glsl"
    ivec3 image_halo; // of images, texels
    uint has_status;  // 0: nothing is taken off
    uint has_kinds;
} params;

readonly buffer Source { float values[]; } source;
readonly buffer Kinds { uint values[]; } kinds;

#include "solver/finished.glsl"
#include "kinds.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.halo)) ||
        any(greaterThanEqual(place, params.size - params.halo)))
        return;
    int index = place.x + params.size.x * (place.y + params.size.y * place.z);
    float value = source.values[index];
    bool unknown = params.has_kinds == 0u || kinds.values[index] == kUnknown;
    if (params.has_status != 0u && unknown) value -= mean_to_take_off();
    if (params.has_status != 0u && is_bad()) value = 0.0;
    ivec3 texel = place - params.halo + params.image_halo;
#if FORM == 0
    imageStore(result, texel.xy, vec4(value, 0.0, 0.0, 1.0));
#elif FORM == 1
    imageStore(result, texel, vec4(value, 0.0, 0.0, 1.0));
#else
    result.values[index] = value;
#endif
}

#version 460
//! variants FORM=0,1,2
// Writes the cells of a rank's part into an array: 0 for solid ones, where kinds of cells are
// connected. FORM: they come from a picture, from a volume or from another such array.
layout(local_size_x = 32, local_size_y = 8) in;

#if FORM == 0
uniform sampler2D source;
#elif FORM == 1
uniform sampler3D source;
#else
readonly buffer Source { float values[]; } source;
#endif

uniform Params {
#include "part_params.glsl"
    ivec3 image_halo; // of images, texels
    float factor;     // of all numbers
    uint has_status;  // 0: nothing is taken off
    uint has_kinds;
} params;

readonly buffer Status {
#include "solver/status.glsl"
} status;
readonly buffer Kinds { uint values[]; } kinds;
writeonly buffer Result { float values[]; } result;

#include "kinds.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.halo)) ||
        any(greaterThanEqual(place, params.size - params.halo)))
        return;
    int index = place.x + params.size.x * (place.y + params.size.y * place.z);
    ivec3 texel = place - params.halo + params.image_halo;
#if FORM == 0
    float value = texelFetch(source, texel.xy, 0).r;
#elif FORM == 1
    float value = texelFetch(source, texel, 0).r;
#else
    float value = source.values[index];
#endif
    float shift = params.has_status == 0u ? 0.0 : status.shift;
    bool solid = params.has_kinds != 0u && kinds.values[index] == kSolid;
    result.values[index] = solid ? 0.0 : params.factor * value - shift;
}

#version 460
//! variants VOLUME=0,1
// Writes what the cells of a rank's part are from an image of it into an array.
layout(local_size_x = 32, local_size_y = 8) in;

#if VOLUME
uniform usampler3D source;
#else
uniform usampler2D source;
#endif

uniform Params {
#include "part_params.glsl"
    ivec3 image_halo; // texels
} params;

writeonly buffer Result { uint values[]; } result;

#include "kinds.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.halo)) ||
        any(greaterThanEqual(place, params.size - params.halo)))
        return;
    ivec3 texel = place - params.halo + params.image_halo;
#if VOLUME
    uint kind = texelFetch(source, texel, 0).r;
#else
    uint kind = texelFetch(source, texel.xy, 0).r;
#endif
    result.values[place.x + params.size.x * (place.y + params.size.y * place.z)] =
        min(kind, kFixed);
}

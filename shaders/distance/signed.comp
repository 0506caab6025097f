#version 460
// Squared distances to the nearest object and to the nearest background texel as one signed distance
// to the contour between them.
//! variants VOLUME=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#else
layout(local_size_x = 16, local_size_y = 16) in;
#endif

#if VOLUME
uniform usampler3D outside;
uniform usampler3D inside;
uniform writeonly image3D field;
#else
uniform usampler2D outside; // squared distance to the nearest object: 0 within objects
uniform usampler2D inside;  // to the nearest background texel
uniform writeonly image2D field;
#endif

uniform Params {
    float shift; // from the middle of a texel to its edge, or 0; texels
} params;

void main() {
#if VOLUME
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#else
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    uint away = texelFetch(outside, texel, 0).x;
    uint within = texelFetch(inside, texel, 0).x;
    float signed_distance = away != 0u ? sqrt(float(away)) - params.shift
                                       : params.shift - sqrt(float(within));
    imageStore(field, texel, vec4(signed_distance));
}

#version 460
// Distances of both sides of a contour as numbers around 0.5.
//! variants VOLUME=0,1 SIGNED=0,1

#if VOLUME
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform writeonly image3D result;
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform writeonly image2D result;
#endif

#if SIGNED
#if VOLUME
uniform sampler3D field;
#else
uniform sampler2D field;
#endif
#else
#if VOLUME
uniform usampler3D field;
uniform usampler3D inside;
#else
uniform usampler2D field;  // to the nearest object; where there are two channels both
uniform usampler2D inside; // to the nearest background texel
#endif
#endif

uniform Params {
    float scale; // of a texel
#if !SIGNED
    float shift;       // from the middle of a texel to its edge, or 0; texels
    uint two_channels; // 1: `field` has both sides
    uint squared;      // 1: the numbers are squares of distances
#endif
} params;

#if !SIGNED
float distance_of(uint value) {
    return params.squared != 0u ? sqrt(float(value)) : float(value);
}
#endif

void main() {
#if VOLUME
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#else
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
#if SIGNED
    float signed_distance = texelFetch(field, texel, 0).x;
#else
    uvec2 both = texelFetch(field, texel, 0).xy;
    uint within = params.two_channels != 0u ? both.y : texelFetch(inside, texel, 0).x;
    float signed_distance = both.x != 0u ? distance_of(both.x) - params.shift
                                         : params.shift - distance_of(within);
#endif
    imageStore(result, texel, vec4(0.5 + params.scale * signed_distance));
}

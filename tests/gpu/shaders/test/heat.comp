#version 460
//! variants VOLUME=0,1
// A step of the heat equation on a part of a field; its halo becomes zero.
layout(local_size_x = 8, local_size_y = 8) in;

#if VOLUME
uniform sampler3D source;
uniform writeonly image3D result;
#else
uniform sampler2D source;
uniform writeonly image2D result;
#endif

uniform Params {
    uint halo; // texels
    float rate;
} params;

#if VOLUME
float at(ivec3 texel) { return texelFetch(source, texel, 0).r; }
#else
float at(ivec3 texel) { return texelFetch(source, texel.xy, 0).r; }
#endif

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
#if VOLUME
    ivec3 size = imageSize(result);
    ivec3 halo = ivec3(params.halo);
#else
    ivec3 size = ivec3(imageSize(result), 1);
    ivec3 halo = ivec3(params.halo, params.halo, 0);
#endif
    if (any(greaterThanEqual(texel, size))) return;
    float value = 0.0;
    if (all(greaterThanEqual(texel, halo)) && all(lessThan(texel, size - halo))) {
        float middle = at(texel);
        float flow = at(texel - ivec3(1, 0, 0)) + at(texel + ivec3(1, 0, 0)) +
                     at(texel - ivec3(0, 1, 0)) + at(texel + ivec3(0, 1, 0)) - 4.0 * middle;
#if VOLUME
        flow += at(texel - ivec3(0, 0, 1)) + at(texel + ivec3(0, 0, 1)) - 2.0 * middle;
#endif
        // A corner as well, so that one that is missing is noticed.
        flow += 0.25 * (at(texel + ivec3(1, 1, 0)) - at(texel - ivec3(1, -1, 0)));
        value = middle + params.rate * flow;
    }
#if VOLUME
    imageStore(result, texel, vec4(value, 0.0, 0.0, 1.0));
#else
    imageStore(result, texel.xy, vec4(value, 0.0, 0.0, 1.0));
#endif
}

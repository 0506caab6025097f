#version 460
// A weighted sum of an image's channels as an array, x fastest; or each channel as one.
//! variants SHAPE=picture,volume

#if SHAPE_volume
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
uniform sampler3D source;
#else
layout(local_size_x = 16, local_size_y = 16) in;
uniform sampler2D source;
#endif

writeonly buffer Result { float values[]; } result;

uniform Params {
    vec4 weights; // of the one array
    uint arrays;  // more than one: a channel each
} params;

void main() {
    uvec3 place = gl_GlobalInvocationID;
#if SHAPE_volume
    uvec3 size = uvec3(textureSize(source, 0));
    if (any(greaterThanEqual(place, size))) return;
    vec4 texel = texelFetch(source, ivec3(place), 0);
#else
    uvec3 size = uvec3(textureSize(source, 0), 1u);
    if (any(greaterThanEqual(place, size))) return;
    vec4 texel = texelFetch(source, ivec2(place), 0);
#endif
    uint at = (place.z * size.y + place.y) * size.x + place.x;
    if (params.arrays == 1u) {
        result.values[at] = dot(texel, params.weights);
        return;
    }
    for (uint c = 0u; c < params.arrays; ++c)
        result.values[c * size.x * size.y * size.z + at] = texel[c];
}

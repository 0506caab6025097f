#version 460
//! variants SIGNED=0,1
// A volume of integers as one of floats.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#if SIGNED
uniform isampler3D source;
#else
uniform usampler3D source;
#endif
writeonly uniform image3D result;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, vec4(texelFetch(source, texel, 0)));
}

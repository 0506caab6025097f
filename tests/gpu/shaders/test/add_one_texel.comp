#version 460
//! variants KIND=0,1,2
// Adds 1 to each texel: of an image of unsigned numbers (0), of signed ones (1), of a volume (2).
layout(local_size_x = 4, local_size_y = 4) in;

#if KIND == 0
uniform usampler2D source;
writeonly uniform uimage2D target;
#elif KIND == 1
uniform isampler2D source;
writeonly uniform iimage2D target;
#else
uniform sampler3D source;
writeonly uniform image3D target;
#endif

void main() {
#if KIND == 2
    const ivec3 p = ivec3(gl_GlobalInvocationID);
#else
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
#endif
    if (any(greaterThanEqual(p, imageSize(target)))) return;
    imageStore(target, p, texelFetch(source, p, 0) + 1);
}

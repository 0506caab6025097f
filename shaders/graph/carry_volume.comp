#version 460
// Copies one mip level of a 3-D image: a copy as a kernel, because a loop can skip kernels but not
// copy commands.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

uniform sampler3D source;
writeonly uniform image3D target;

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(target)))) return;
    imageStore(target, texel, texelFetch(source, texel, 0));
}

#version 460
// Copies one mip level and layer: a copy as a kernel, because a loop can skip kernels but not copy
// commands.

layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D source;
writeonly uniform uimage2D target;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(target)))) return;
    imageStore(target, texel, texelFetch(source, texel, 0));
}

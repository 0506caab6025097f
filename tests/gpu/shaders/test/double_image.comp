#version 460
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D source;
writeonly uniform image2D target;

void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(target)))) return;
    imageStore(target, p, 2.0 * texelFetch(source, p, 0));
}

#version 460
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D source;
writeonly uniform image2D target;

// Average of 2x2 texels.
void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(target)))) return;
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; ++i) sum += texelFetch(source, 2 * p + ivec2(i & 1, i >> 1), 0);
    imageStore(target, p, sum * 0.25);
}

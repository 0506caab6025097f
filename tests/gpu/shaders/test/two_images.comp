#version 460
// Two images of coordinates, of any sizes.
layout(local_size_x = 8, local_size_y = 8) in;

writeonly uniform image2D first;
writeonly uniform image2D second;

void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, imageSize(first)))) imageStore(first, p, vec4(p, 0.0, 1.0));
    if (all(lessThan(p, imageSize(second)))) imageStore(second, p, vec4(p, 1.0, 1.0));
}

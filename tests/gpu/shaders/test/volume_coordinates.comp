#version 460
// Writes (x, y, z, level) to every texel of one level of a volume.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

writeonly uniform image3D target;

uniform Params {
    float level;
} params;

void main() {
    const ivec3 p = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(p, imageSize(target)))) return;
    imageStore(target, p, vec4(p, params.level));
}

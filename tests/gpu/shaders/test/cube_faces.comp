#version 460
// Writes (face, x, y, level) to every texel of one level of a cube.
layout(local_size_x = 8, local_size_y = 8) in;

writeonly uniform image2DArray faces;

uniform Params {
    float level;
} params;

void main() {
    const ivec3 p = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(p, imageSize(faces)))) return;
    imageStore(faces, p, vec4(p.z, p.xy, params.level));
}

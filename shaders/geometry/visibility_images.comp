#version 460
// The depths and triangles of visible pixels, as images.

layout(local_size_x = 32, local_size_y = 4) in;

uniform Params {
    uvec2 size;
} params;

readonly buffer Keys { uvec2 values[]; } keys;
uniform writeonly image2D depth;
uniform writeonly uimage2D triangles;

const uint kNone = 0xffffffffu;

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, params.size))) return;
    uvec2 key = keys.values[at.y * params.size.x + at.x];
    imageStore(depth, ivec2(at), vec4(key.y == kNone ? 1.0 : uintBitsToFloat(key.y)));
    imageStore(triangles, ivec2(at), uvec4(key.x));
}

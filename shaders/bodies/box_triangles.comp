#version 460
// A triangle for each body whose box is the body's: what bvh/lbvh_build sorts. Bodies that take no
// part have none that is finite.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Indices { uint values[]; } indices;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 low = boxes.values[2u * i].xyz;
    vec4 high = boxes.values[2u * i + 1u];
    bool is_there = (floatBitsToUint(high.w) & 2u) != 0u;
    if (!is_there) low.x = uintBitsToFloat(0x7fc00000u);
    vec3 third = vec3(low.x, high.y, low.z);
    for (uint k = 0u; k < 3u; ++k) {
        positions.values[9u * i + k] = low[k];
        positions.values[9u * i + 3u + k] = high[k];
        positions.values[9u * i + 6u + k] = third[k];
        indices.values[3u * i + k] = 3u * i + k;
    }
}

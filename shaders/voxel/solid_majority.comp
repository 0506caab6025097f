#version 460
// A voxel is inside where two of three directions say so.

layout(local_size_x = 256) in;

uniform Params {
    uint count; // words
} params;

#include "invocation.glsl"

readonly buffer AlongX { uint values[]; } along_x;
readonly buffer AlongY { uint values[]; } along_y;
readonly buffer AlongZ { uint values[]; } along_z;
writeonly buffer Words { uint values[]; } words;

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    uint x = along_x.values[at];
    uint y = along_y.values[at];
    uint z = along_z.values[at];
    words.values[at] = x & y | y & z | z & x;
}

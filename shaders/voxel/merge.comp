#version 460
// Sets the voxels of either grid.

layout(local_size_x = 256) in;

uniform Params {
    uint count; // words
} params;

#include "invocation.glsl"

readonly buffer First { uint values[]; } first;
readonly buffer Second { uint values[]; } second;
writeonly buffer Result { uint values[]; } result;

void main() {
    uint at = invocation_index();
    if (at < params.count) result.values[at] = first.values[at] | second.values[at];
}

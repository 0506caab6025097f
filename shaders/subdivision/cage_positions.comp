#version 460
// Where the vertices of a cage are: of those of a scene that are at one place, one.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Source { float values[]; } source;
readonly buffer From { uint values[]; } from; // of each vertex, its number in the scene
writeonly buffer Positions { float values[]; } positions;

uniform Params {
    uint vertex_count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.vertex_count) return;
    uint at = 3u * from.values[i];
    for (uint k = 0u; k < 3u; ++k)
        positions.values[3u * i + k] = source.values[at + k];
}

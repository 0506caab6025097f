#version 460
// An indirect draw of as many instances as there are particles.

layout(local_size_x = 1) in;

#include "count.glsl"

writeonly buffer Arguments { uint words[]; } arguments;

uniform Params {
    uint count;
    uint corners; // of an instance
} params;

void main() {
    arguments.words[0] = params.corners;
    arguments.words[1] = particle_count(params.count);
    arguments.words[2] = 0u;
    arguments.words[3] = 0u;
}

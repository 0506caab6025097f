#version 460
// The box of the places of lights that shine.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "tree.glsl"

readonly buffer Spheres { vec4 values[]; } spheres;
readonly buffer Shades { LightShade values[]; } shades;
buffer Box { uint words[]; } box; // complements of the low corner, then the high one; ordered

uniform Params {
    uint count;
} params;

shared uint corners[6];

void main() {
    uint lane = gl_LocalInvocationID.x;
    if (lane < 6u) corners[lane] = 0u;
    barrier();
    uint i = invocation_index();
    if (i < params.count && shines(spheres.values[i], shades.values[i])) {
        uvec3 place = ordered(spheres.values[i].xyz);
        for (uint axis = 0u; axis < 3u; ++axis) {
            atomicMax(corners[axis], ~place[axis]);
            atomicMax(corners[3u + axis], place[axis]);
        }
    }
    barrier();
    if (lane < 6u && corners[lane] != 0u) atomicMax(box.words[lane], corners[lane]);
}

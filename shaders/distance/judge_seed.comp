#version 460
// Says of a seed that has been counted whether it is empty.

layout(local_size_x = 1) in;

#include "status.glsl"

void main() {
    if (status.objects == 0u) status.codes |= kEmptySeed;
}

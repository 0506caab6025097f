#version 460
// The status of a field of two channels: that of the distances to objects, to which the one of the
// distances to the background is added. What is an empty seed there is one without background.

layout(local_size_x = 1) in;

#include "status.glsl"

readonly buffer Inside { // DistanceStatus
    uint objects;
    uint background;
    uint not_finite;
    uint passes;
    uint codes;
    uint row_passes;
} inside;

void main() {
    status.passes += inside.passes;
    status.row_passes += inside.row_passes;
    status.codes |= inside.codes & ~kEmptySeed;
    if ((inside.codes & kEmptySeed) != 0u) status.codes |= kFullSeed;
}

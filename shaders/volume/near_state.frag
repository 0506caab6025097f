#version 460
// Sums up all faces of media.

#include "volume/capture_fragment.glsl"
#include "volume/capture_near.glsl"

void main() {
    add_near_state();
}

#version 460
//! vertex volume/face
// Sums up all faces of media.

#include "capture_fragment.glsl"
#include "capture_near.glsl"

void main() {
    add_near_state();
}

#version 460
//! vertex volume/face
//! variants MANY_LIGHTS=0,1 BLENDED=0,1 except 1,0
// Sums up all faces of media.

#include "capture_fragment.glsl"
#include "capture_near.glsl"

void main() {
    add_near_state();
}

#version 460
//! vertex volume/face
//! variants MANY_LIGHTS=0,1 BLENDED=0,1 except 1,0
// Stores the faces of media that can be seen, and sums up all of them.

#include "capture_fragment.glsl"
#include "capture_near.glsl"
#include "capture_store.glsl"

void main() {
    vec3 direction = ray_direction();
    float distance = face_distance(direction);
    add_near_state();
    if (is_hidden(distance)) return;
    store_fragment(distance, direction);
}

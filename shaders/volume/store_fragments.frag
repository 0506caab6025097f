#version 460
//! vertex volume/face
// Stores the faces of media in each texel's part of the list.

#include "capture_fragment.glsl"
#include "capture_store.glsl"

void main() {
    vec3 direction = ray_direction();
    float distance = face_distance(direction);
    if (is_hidden(distance)) return;
    store_fragment(distance, direction);
}
